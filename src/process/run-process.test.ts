import { chmod, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isRunning, runningWithMarker } from '../../test/support/live-processes.ts';
import { agentCommand } from '../../test/support/process-request.ts';
import { type CollectedRun, runCollected } from '../../test/support/run-collected.ts';
import { openThrowAwayFolder, type ThrowAwayFolder } from '../../test/support/throw-away-folder.ts';

let folder: ThrowAwayFolder;
beforeAll(async () => {
  folder = await openThrowAwayFolder();
});
afterAll(() => folder[Symbol.asyncDispose]());

function expectNothingLeft({ request }: CollectedRun): void {
  expect(runningWithMarker(request.marker)).toEqual([]);
}

describe('a process that ends by itself', () => {
  it('returns its exit code, its lines in order and its raw output on disk', async () => {
    const run = await runCollected(folder.path, { file: 'sh', args: ['-c', 'echo one; echo trouble >&2; echo two; exit 3'] });
    expect(run.ending).toEqual({ kind: 'exited', code: 3 });
    expect(run.lines).toEqual(['one', 'two']);
    expect(await readFile(run.request.stdoutFile, 'utf8')).toBe('one\ntwo\n');
    expect(await readFile(run.request.stderrFile, 'utf8')).toBe('trouble\n');
    expectNothingLeft(run);
  });

  it('returns the signal that ended it', async () => {
    const run = await runCollected(folder.path, agentCommand('dies-at-start', 'SIGSEGV'));
    expect(run.ending).toEqual({ kind: 'signalled', signal: 'SIGSEGV' });
    expectNothingLeft(run);
  });

  it('may die right after its start', async () => {
    const run = await runCollected(folder.path, { ...agentCommand('dies-at-start', 7), stdin: 'x'.repeat(1_000_000) });
    expect(run.ending).toEqual({ kind: 'exited', code: 7 });
    expect(run.lines).toEqual([]);
  });

  it('is identified by pid and start time before its first line is emitted', async () => {
    const order: string[] = [];
    const run = await runCollected(folder.path, {
      file: 'sh',
      args: ['-c', 'echo $$'],
      onSpawned: ({ pid }) => order.push(`spawned ${pid}`),
      onLine: (line) => order.push(`line ${line}`),
    });
    const [identity] = run.spawned;
    expect(order).toEqual([`spawned ${identity?.pid}`, `line ${identity?.pid}`]);
    expect(identity?.startTime).toMatch(/^\d+$/);
    expect(identity?.bootId).toContain((await readFile('/proc/sys/kernel/random/boot_id', 'utf8')).trim());
  });

  it('leads its own session and has the marker', async () => {
    const run = await runCollected(folder.path, { file: 'sh', args: ['-c', 'cut -d" " -f1,5,6 /proc/$$/stat; echo $RALPH_MARKER'] });
    const pid = run.spawned[0]?.pid;
    expect(run.lines).toEqual([`${pid} ${pid} ${pid}`, run.request.marker]);
  });
});

describe('stdin', () => {
  it('is written completely and then closed', async () => {
    const prompt = `a prompt\nof 5 MB: ${'ä€'.repeat(1_000_000)}`;
    const run = await runCollected(folder.path, { ...agentCommand('echoes-stdin'), stdin: prompt });
    expect(run.ending).toEqual({ kind: 'exited', code: 0 });
    expect(run.lines.join('\n')).toBe(prompt);
  });

  it('may be closed unread without harm', async () => {
    const run = await runCollected(folder.path, { ...agentCommand('closes-stdin-unread'), stdin: 'x'.repeat(5_000_000) });
    expect(run.ending).toEqual({ kind: 'exited', code: 0 });
    expect(run.lines).toEqual(['did not read']);
  });
});

describe('a process that never starts', () => {
  it('is reported as not found', async () => {
    const { ending } = await runCollected(folder.path, { file: 'no-such-agent' });
    expect(ending).toEqual({ kind: 'never-started', reason: 'not-found', message: 'The command "no-such-agent" was not found.' });
  });

  it('leaves no spool file behind', async () => {
    const { request } = await runCollected(folder.path, { file: 'no-such-agent' });
    await expect(readFile(request.stdoutFile)).rejects.toThrow('ENOENT');
  });

  it('is reported as not executable', async () => {
    const file = join(folder.path, 'plain.txt');
    await writeFile(file, 'text');
    const { ending } = await runCollected(folder.path, { file });
    expect(ending).toMatchObject({ kind: 'never-started', reason: 'not-executable', message: expect.stringContaining(file) });
  });

  it('is reported as a script without its interpreter', async () => {
    const file = join(folder.path, 'script');
    await writeFile(file, '#!/no/such/interpreter\n');
    await chmod(file, 0o755);
    const { ending } = await runCollected(folder.path, { file });
    expect(ending).toMatchObject({ kind: 'never-started', reason: 'not-found', message: expect.stringContaining('interpreter') });
  });

  it.each([
    ['missing', '/no/such/folder', 'does not exist'],
    ['a file', import.meta.filename, 'is not a directory'],
  ])('is reported with a working directory that is %s, not with a missing command', async (_, cwd, says) => {
    const { ending } = await runCollected(folder.path, { cwd });
    expect(ending).toEqual({ kind: 'never-started', reason: 'bad-directory', message: `The directory "${cwd}" ${says}.` });
  });

  it('is returned as data even if Node throws', async () => {
    const tooLong = await runCollected(folder.path, { args: ['x'.repeat(200_000)] });
    expect(tooLong.ending).toMatchObject({ kind: 'never-started', reason: 'other', message: expect.stringContaining('too long') });
    const withNul = await runCollected(folder.path, { args: ['a\0b'] });
    expect(withNul.ending).toMatchObject({ kind: 'never-started', reason: 'other' });
  });

  it('is not started if it was cancelled before', async () => {
    const run = await runCollected(folder.path, {}, AbortSignal.abort(new Error('too late')));
    expect(run.ending).toEqual({ kind: 'stopped', cause: 'cancelled', detail: 'too late', code: null, signal: null });
    expect(run.spawned).toEqual([]);
  });
});

describe('a callback that throws', () => {
  it.each(['onSpawned', 'onLine', 'settled'] as const)('%s: its error is thrown after the process has ended', async (name) => {
    const broken = () => {
      throw new Error(`bug in ${name}`);
    };
    const marker = `throws-in-${name}-${process.pid}/1.1`;
    const running = runCollected(folder.path, { ...agentCommand('runs-forever'), marker, stopWith: 'terminate', [name]: broken });
    await expect(running).rejects.toThrow(`bug in ${name}`);
    expect(runningWithMarker(marker)).toEqual([]);
  });

  it('still ends a child that had removed the marker', async () => {
    let child = Number.NaN;
    const onLine = (line: string) => {
      child = Number(line);
      throw new Error('bug');
    };
    await expect(runCollected(folder.path, { ...agentCommand('hides-a-child-from-the-marker'), onLine })).rejects.toThrow('bug');
    expect(child).toBeGreaterThan(1);
    expect(isRunning(child)).toBe(false);
  });
});
