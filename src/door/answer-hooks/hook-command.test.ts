import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type HookStage, openHookStage } from '../../../test/support/hook-stage.ts';
import { runBinary } from '../../../test/support/run-binary.ts';
import { until } from '../../../test/support/until.ts';
import { emptyState } from '../../journal/state/state.ts';
import { hookFlags } from '../../recipes/review/start/open-stories.ts';
import { openDoor } from '../door.ts';
import type { AnswerHooks } from '../door-context.ts';
import type { HookName } from '../hooks/hook-input.ts';

let stage: HookStage;
let doorPath = '';
let doors: AsyncDisposable[];
beforeEach(async () => {
  stage = await openHookStage();
  // A name that a shell would split without quotes.
  const folder = join(stage.repo.beside, "it's $HOME");
  await mkdir(folder, { mode: 0o700 });
  doorPath = join(folder, 's.sock');
  doors = [];
});
afterEach(async () => {
  for (const door of doors) await door[Symbol.asyncDispose]();
  await stage[Symbol.asyncDispose]();
});

async function openDoorWith(hooks: AnswerHooks | null): Promise<void> {
  const open = openDoor(doorPath, () => 0, null, hooks && (() => hooks));
  doors.push(
    open(
      async () => true,
      () => emptyState,
    ),
  );
  await until('it is open', () => existsSync(doorPath));
}

const EVENTS = { stop: 'Stop', context: 'PostToolUse', guard: 'PreToolUse', 'session-start': 'SessionStart' } as const;

/** Runs the command line as claude would: by `sh -c`, with the input on stdin. */
async function say(name: HookName, input: object, { node = process.execPath, env = {} }: { node?: string; env?: Readonly<Record<string, string>> } = {}) {
  const [flag, settings] = hookFlags({ doorPath, hookEntry: stage.hook, node });
  expect(flag).toBe('--settings');
  const command = JSON.parse(settings ?? '').hooks[EVENTS[name]][0].hooks[0].command;
  const stdin = JSON.stringify({ session_id: 's', cwd: stage.repo.path, ...input });
  const all = { PATH: process.env['PATH'] ?? '', TMPDIR: stage.repo.beside, ...env };
  return await runBinary({ file: '/bin/sh', args: ['-c', command], cwd: stage.repo.path, env: all, stdin, withinMs: 60_000 });
}

/** The PATH of this machine without one program. */
async function pathWithout(name: string): Promise<string> {
  const bin = join(stage.repo.beside, 'bin');
  await mkdir(bin);
  const needed = ['sh', 'cat', 'git', 'curl'].filter((each) => each !== name);
  for (const each of needed) await symlink(execFileSync('sh', ['-c', `command -v ${each}`], { encoding: 'utf8' }).trim(), join(bin, each));
  return bin;
}

const silence = { code: 0, stdout: '', stderr: '' };

describe('the command of a hook', () => {
  it('sends its whole input to the loop and prints the answer', async () => {
    const asked: unknown[] = [];
    await openDoorWith(async (name, input) => {
      asked.push(name, input);
      return { decision: 'block', reason: 'it\'s "$(no)" \\n %s' };
    });
    const more = { odd: '\'"$`\\n%s\u2028ü🎉', long: 'x'.repeat(300_000) };
    const { code, stdout } = await say('stop', more, { node: '/nowhere/node' });
    expect({ code, said: JSON.parse(stdout) }).toEqual({ code: 0, said: { decision: 'block', reason: 'it\'s "$(no)" \\n %s' } });
    expect(asked).toEqual(['stop', { session_id: 's', cwd: stage.repo.path, ...more }]);
  });

  it('prints nothing when the loop has no answer', async () => {
    await openDoorWith(async () => null);
    expect(await say('session-start', {}, { node: '/nowhere/node' })).toEqual(silence);
  });

  it.each([
    ['there is no loop', async () => undefined],
    ['the loop has no stories', () => openDoorWith(null)],
    ['the loop fails', () => openDoorWith(async () => Promise.reject(new Error('broken')))],
  ])('falls back to node where %s', async (_why, arrange) => {
    await arrange();
    expect(JSON.parse((await say('stop', {})).stdout)).toEqual({ decision: 'approve' });
  });

  it('falls back to node where there is no curl, and node asks the loop', async () => {
    await openDoorWith(async () => ({ decision: 'block', reason: 'the loop says so' }));
    const env = { PATH: await pathWithout('curl'), RALPH_SOCKET: doorPath };
    expect((await say('stop', {}, { env })).stdout).toContain('the loop says so');
  });

  it("ignores the user's curl configuration", async () => {
    await openDoorWith(async () => null);
    await stage.repo.write('.curlrc', 'output = "stolen"\nproxy = "http://127.0.0.1:9"\n');
    expect(await say('context', {}, { node: '/nowhere/node', env: { HOME: stage.repo.path, http_proxy: 'http://127.0.0.1:9' } })).toEqual(silence);
    expect(existsSync(join(stage.repo.path, 'stolen'))).toBe(false);
  });
});

describe('without a loop and without node', () => {
  it('the guard denies', async () => {
    const { code, stdout, stderr } = await say('guard', {}, { node: '/nowhere/node' });
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain('Ralph cannot ask its guard');
  });

  it.each(['stop', 'context', 'session-start'] as const)('%s blocks nobody', async (name) => {
    expect(await say(name, {}, { node: '/nowhere/node' })).toMatchObject({ code: 127, stdout: '' });
  });
});

describe('a marker that names its loop', () => {
  it('is ignored while that loop answers', async () => {
    await openDoorWith(async () => ({ decision: 'block', reason: 'the loop says so' }));
    await stage.repo.write('.ralph-active', JSON.stringify({ pid: process.pid, socket: doorPath, skipReview: true }));
    expect((await stage.call('stop', {})).answer).toEqual({ decision: 'block', reason: 'the loop says so' });
  });

  it.each([
    ['its process is gone', { pid: 2 ** 22 + 1 }],
    ['its socket is not there', { pid: process.pid, socket: '/nowhere/x.sock' }],
  ])('is used when %s', async (_why, change) => {
    await openDoorWith(async () => ({ decision: 'block', reason: 'the loop says so' }));
    await stage.repo.write('.ralph-active', JSON.stringify({ socket: doorPath, ...change }));
    expect((await stage.call('stop', {})).answer).toEqual({ decision: 'approve' });
  });
});
