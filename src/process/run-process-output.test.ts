import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { BUILT } from '../../test/support/built-modules.ts';
import { deepIt } from '../../test/support/deep.ts';
import { isRunning, runningWithMarker } from '../../test/support/live-processes.ts';
import { floodMegabytes } from '../../test/support/patience.ts';
import { agentCommand, requestIn } from '../../test/support/process-request.ts';
import { runBinary } from '../../test/support/run-binary.ts';
import { runCollected } from '../../test/support/run-collected.ts';
import { openThrowAwayFolder, type ThrowAwayFolder } from '../../test/support/throw-away-folder.ts';
import { until } from '../../test/support/until.ts';

const megabyte = 1024 * 1024;
let folder: ThrowAwayFolder;
let kit: string;
beforeAll(async () => {
  folder = await openThrowAwayFolder();
  kit = BUILT;
});
afterAll(() => folder[Symbol.asyncDispose]());

interface Measured {
  readonly ending: unknown;
  readonly lines: number;
  readonly longest: number;
  readonly bytes: number;
  readonly peakBytes: number;
}

/** In a separate process, so that only the runner's memory is measured. */
async function measure(agent: string, ...args: readonly (string | number)[]): Promise<Measured> {
  const driver = join(import.meta.dirname, '../../test/fixtures/loops/measures-one-agent.mjs');
  const { stdout } = await runBinary({
    file: process.execPath,
    args: [driver, kit, folder.path, ...agentCommand(agent, ...args).args],
    cwd: folder.path,
    env: requestIn(folder.path, {}).env,
    stdin: '',
    withinMs: 50_000,
  });
  return JSON.parse(stdout) as Measured;
}

describe('output', () => {
  it(`of ${floodMegabytes} MB passes completely with little memory`, async () => {
    const { ending, lines, bytes, peakBytes } = await measure('floods-stdout', floodMegabytes);
    expect(ending).toEqual({ kind: 'exited', code: 0 });
    expect(bytes).toBeGreaterThanOrEqual(floodMegabytes * 1e6);
    expect(bytes % lines).toBe(0);
    expect(peakBytes).toBeLessThan(120 * megabyte);
  });

  it('in one line of 50 MB arrives as one line', async () => {
    const { ending, lines, longest, bytes, peakBytes } = await measure('prints-one-long-line', 50);
    expect(ending).toEqual({ kind: 'exited', code: 0 });
    expect({ lines, longest, bytes }).toEqual({ lines: 2, longest: 50e6, bytes: 50e6 + '\nafter\n'.length });
    expect(peakBytes).toBeLessThan(400 * megabyte);
  });

  it('with NUL, broken UTF-8 and CR LF is emitted as text and saved as bytes', async () => {
    const run = await runCollected(folder.path, agentCommand('prints-raw-bytes'));
    expect(run.lines).toEqual(['a\0b', '\uFFFD\uFFFDA', 'windows', '', '€']);
    expect((await readFile(run.request.stdoutFile)).subarray(0, 8)).toEqual(Buffer.from([0x61, 0, 0x62, 0x0a, 0xff, 0xfe, 0x41, 0x0a]));
  });

  it('that ends without a newline still emits its last line', async () => {
    const run = await runCollected(folder.path, agentCommand('prints-half-a-line'));
    expect(run.ending).toEqual({ kind: 'exited', code: 0 });
    expect(run.lines).toEqual(['{"type":"init"}', '{"type":"resu']);
  });

  it('of both streams goes to one file when merged, and only stdout is emitted as lines', async () => {
    const run = await runCollected(folder.path, { ...agentCommand('prints-now-and-then', 4, 50), stderrFile: 'merged' });
    expect(run.lines).toEqual(['line 1', 'line 3']);
    expect(await readFile(run.request.stdoutFile, 'utf8')).toBe('line 1\nline 2\nline 3\nline 4\n');
  });
});

describe('output after the end', () => {
  deepIt('it waits for a slow reader')('reaches a slow reader completely, long after its process has ended', async () => {
    const run = await runCollected(folder.path, {
      file: 'sh',
      args: ['-c', 'seq 1000001 1020000'],
      onLine() {
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 0.15);
      },
    });
    expect(run.lines).toHaveLength(20_000);
    expect(run.lines.at(-1)).toBe('1020000');
    expect(run.tookMs).toBeGreaterThan(2_900);
  });

  it('is not awaited when an escaped process keeps printing', async () => {
    const endless = "env -i setsid sh -c 'echo $$; while :; do echo on and on; done' & sleep 0.3";
    const run = await runCollected(folder.path, { file: 'sh', args: ['-c', endless] });
    const escaped = Number(run.lines[0]);
    expect(run.ending).toEqual({ kind: 'exited', code: 0 });
    await until('it is gone, as nobody listens', () => !isRunning(escaped));
  });
});

describe('output that cannot be saved', () => {
  it('ends the process at the limit for both streams together, and saves no byte more', async () => {
    const run = await runCollected(folder.path, { file: 'sh', args: ['-c', 'yes & yes >&2'], maxOutputBytes: 100_001, stopWith: 'terminate' });
    expect(run.ending).toMatchObject({ kind: 'stopped', cause: 'output', detail: 'more than 100001 bytes of output', signal: 'SIGTERM' });
    expect((await stat(run.request.stdoutFile)).size + (await stat(run.request.stderrFile)).size).toBe(100_001);
    expect(runningWithMarker(run.request.marker)).toEqual([]);
  });

  it('does not include output of exactly the limit', async () => {
    const run = await runCollected(folder.path, { file: 'sh', args: ['-c', 'echo 1234; echo 678'], maxOutputBytes: 9 });
    expect(run.ending).toEqual({ kind: 'exited', code: 0 });
    expect(run.lines).toEqual(['1234', '678']);
  });

  it('because its file is a directory ends the process and is reported', async () => {
    const run = await runCollected(folder.path, { ...agentCommand('floods-stdout', 5), stdoutFile: folder.path, stderrFile: 'merged' });
    expect(run.ending).toMatchObject({ kind: 'stopped', cause: 'output', detail: expect.stringMatching(/^cannot write .*: (EISDIR|EPERM)/) });
    expect(run.lines).toEqual([]);
  });

  it('because its folder is missing ends the process and is reported', async () => {
    const run = await runCollected(folder.path, { ...agentCommand('runs-forever'), stopWith: 'terminate', stdoutFile: '/no/such/folder/out' });
    expect(run.ending).toMatchObject({ kind: 'stopped', cause: 'output', detail: expect.stringMatching(/^cannot write \/no\/such\/folder\/out: ENOENT/) });
    expect(runningWithMarker(run.request.marker)).toEqual([]);
  });
});
