import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { constants } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { BUILT } from '../../test/support/built-modules.ts';
import { isRunning, runningWithCommand, runningWithMarker, variablesOf } from '../../test/support/live-processes.ts';
import { agentCommand } from '../../test/support/process-request.ts';
import { openThrowAwayFolder, type ThrowAwayFolder } from '../../test/support/throw-away-folder.ts';
import { until } from '../../test/support/until.ts';
import { guardianScript, openGuardian } from './guardian.ts';
import { identityOf } from './identity.ts';
import type { ProcessIdentity } from './process-request.ts';
import { psEnvironment } from './process-table.ts';

let folder: ThrowAwayFolder;
let kit: string;
const started: ChildProcess[] = [];
beforeAll(async () => {
  folder = await openThrowAwayFolder();
  kit = BUILT;
});
afterAll(async () => {
  for (const child of started) child.kill('SIGKILL');
  for (const pid of runningWithCommand(`hidden-guarded-${process.pid}-`)) process.kill(pid, 'SIGKILL');
  await folder[Symbol.asyncDispose]();
});

let runs = 0;
function newRun(): string {
  runs += 1;
  return `guarded-${process.pid}-${runs}`;
}

const toolsAreUp = (run: string) => runningWithMarker(run).length >= 6;
const withTools = (manner: 'obedient' | 'stubborn') => agentCommand('runs-tools-in-own-groups', manner).args;
const guardiansOf = (run: string) => runningWithCommand(`ralph-guardian\0${run}/`);

/** Starts a loop in its own process group; returns its pid once its agent has printed something. */
async function startLoop(run: string, guarded: 'guarded' | 'unguarded', agent: readonly string[]): Promise<number> {
  const loop = join(import.meta.dirname, '../../test/fixtures/loops/watches-one-agent.mjs');
  const child = spawn(process.execPath, [loop, kit, run, guarded, ...agent], {
    detached: true,
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { PATH: process.env['PATH'], TMPDIR: folder.path, RALPH_MARKER: 'the-marker-of-an-outer-run/1.1' },
  });
  started.push(child);
  const pid = pidOf(child);
  await once(createInterface({ input: child.stdout }), 'line');
  return pid;
}

describe('when the loop is killed with SIGKILL', () => {
  it.each(['obedient', 'stubborn'] as const)(
    'the guardian ends the %s agent, its tools in other groups and their children in other sessions',
    async (manner) => {
      const run = newRun();
      const loop = await startLoop(run, 'guarded', withTools(manner));
      await until('its tools are up', () => toolsAreUp(run));
      expect(guardiansOf(run)).toHaveLength(1);
      process.kill(-loop, 'SIGKILL');
      const tookMs = await until('nothing is left', () => runningWithMarker(run).length === 0);
      console.log(`the guardian left nothing of the ${manner} agent after ${Math.round(tookMs)} ms`);
      await until('the guardian is gone too', () => guardiansOf(run).length === 0);
    },
  );

  it('the guardian lets an agent clean up on SIGINT', async () => {
    const run = newRun();
    const file = join(folder.path, `${run}.cleaned`);
    const loop = await startLoop(run, 'guarded', agentCommand('cleans-up-on-sigint', file).args);
    process.kill(-loop, 'SIGKILL');
    await until('nothing is left', () => runningWithMarker(run).length === 0);
    expect(existsSync(file)).toBe(true);
  });

  it('the guardian ends a tool without our marker that the loop had seen, even if its agent dies of the broken pipe first', async () => {
    const run = newRun();
    const hidden = () => runningWithCommand(`hidden-${run}`).filter((pid) => variablesOf(pid).join('') === '');
    const loop = await startLoop(run, 'guarded', agentCommand('hides-a-tool-and-talks', `hidden-${run}`).args);
    await until('the tool is up', () => hidden().length === 1);
    await sleep(4_000); // The loop looks about once a second, and nothing outside shows when it has.
    const guardian = onlyOne(guardiansOf(run));
    process.kill(guardian, 'SIGSTOP');
    process.kill(-loop, 'SIGKILL');
    await until('the agent has died of it', () => runningWithMarker(run).length === 0);
    process.kill(guardian, 'SIGCONT');
    await until('the tool is gone', () => hidden().length === 0);
  });

  it('the guardian sends SIGTERM to the remaining processes before it kills them', async () => {
    const run = newRun();
    const asked = join(folder.path, `${run}.asked`);
    const tool = `trap 'touch ${asked}; exit' TERM; touch ${asked}.up; while :; do sleep 0.05; done`;
    startSleeper(`${run}/1.1`, {}, ['-c', tool]);
    await until('it is up', () => existsSync(`${asked}.up`));
    await runScript(run, '');
    expect(existsSync(asked)).toBe(true);
    expect(runningWithMarker(run)).toEqual([]);
  });

  it('all processes survive if there is no guardian', async () => {
    const run = newRun();
    const loop = await startLoop(run, 'unguarded', withTools('obedient'));
    await until('its tools are up', () => toolsAreUp(run));
    process.kill(-loop, 'SIGKILL');
    await until('the loop is gone', () => !isRunning(loop));
    expect(toolsAreUp(run)).toBe(true);
    for (const pid of runningWithMarker(run)) process.kill(pid, 'SIGKILL');
  });
});

describe('the guardian', () => {
  it('exits at once on a normal end and ends no process', async () => {
    const run = newRun();
    const guardian = openGuardian(`${run}/`);
    const agent = startSleeper(`${run}/1.1`);
    guardian.watch(agent);
    await guardian.close();
    expect(guardiansOf(run)).toEqual([]);
    expect(isRunning(agent.pid)).toBe(true);
  });

  it('ignores the signals that end a loop', async () => {
    const run = newRun();
    await using _guardian = openGuardian(`${run}/`);
    await until('it is up', () => guardiansOf(run).length === 1);
    const pid = onlyOne(guardiansOf(run));
    await until('its traps are set', () => ignoredSignalsOf(pid).includes(constants.signals.SIGPIPE));
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.kill(-pid, signal);
    expect(ignoredSignalsOf(pid)).toEqual(expect.arrayContaining([constants.signals.SIGINT, constants.signals.SIGTERM, constants.signals.SIGHUP]));
    expect(guardiansOf(run)).toEqual([pid]);
  });

  it('has no marker, although the loop has one, and is in its own session', async () => {
    const run = newRun();
    const loop = await startLoop(run, 'guarded', agentCommand('runs-forever').args);
    const pid = onlyOne(guardiansOf(run));
    expect(variablesOf(loop)).toContain('RALPH_MARKER=the-marker-of-an-outer-run/1.1');
    expect(variablesOf(pid).join()).not.toContain('RALPH_MARKER');
    process.kill(-loop, 'SIGKILL');
    await until('nothing is left', () => runningWithMarker(run).length === 0);
  });

  it('spares a process it was told to forget, and a foreign process with a reused pid', async () => {
    const [watched, forgotten, reused] = [startSleeper('none'), startSleeper('none'), startSleeper('none')];
    const told = [watched, forgotten, { ...reused, startTime: '1' }].map(({ pid, startTime }) => `watch ${pid}:${startTime}\n`);
    await runScript(newRun(), `${told.join('')}forget ${forgotten.pid}:${forgotten.startTime}\n`);
    expect([watched, forgotten, reused].map(({ pid }) => isRunning(pid))).toEqual([false, true, true]);
  });

  it('ends only processes with the marker of its run', async () => {
    const run = newRun();
    const [ours, similar, quoted] = [startSleeper(`${run}/3.1`), startSleeper(`${run}0/3.1`), startSleeper('none', { NOTE: `RALPH_MARKER=${run}/3.1` })];
    await runScript(run, '');
    expect([ours, similar, quoted].map(({ pid }) => isRunning(pid))).toEqual([false, true, true]);
  });

  it('ends children that cleared their environment and left the session, as long as their parent lives', async () => {
    const agent = startSleeper('none', {}, ['-c', `env -i setsid sh -c 'echo $$ > ${folder.path}/hidden; exec sleep 1000' & wait`]);
    const hidden = join(folder.path, 'hidden');
    await until('the child is up', () => existsSync(hidden) && readFileSync(hidden, 'utf8') !== '');
    await runScript(newRun(), `watch ${agent.pid}:${agent.startTime}\n`);
    expect(isRunning(Number(readFileSync(hidden, 'utf8')))).toBe(false);
  });

  it('is replaced when it is killed, and its successor knows the watched processes', async () => {
    const run = newRun();
    const hidden = () => runningWithCommand(`hidden-${run}`).filter((pid) => variablesOf(pid).join('') === '');
    const loop = await startLoop(run, 'guarded', agentCommand('hides-a-tool-and-talks', `hidden-${run}`).args);
    await until('the tool is up', () => hidden().length === 1);
    await sleep(4_000); // The loop looks about once a second, and nothing outside shows when it has.
    const first = onlyOne(guardiansOf(run));
    process.kill(first, 'SIGKILL');
    await until('another is there', () => guardiansOf(run).some((pid) => pid !== first));
    await sleep(500); // It learns the watched processes right after its start.
    process.kill(-loop, 'SIGKILL');
    await until('nothing is left', () => runningWithMarker(run).length === 0 && hidden().length === 0);
  });

  it('is replaced at most five times, and can still be closed', async () => {
    const run = newRun();
    const guardian = openGuardian(`${run}/`);
    for (let killed = 0; killed <= 5; killed += 1) {
      await until('one is there', () => guardiansOf(run).length === 1);
      const pid = onlyOne(guardiansOf(run));
      process.kill(pid, 'SIGKILL');
      await until('it is gone', () => !isRunning(pid));
    }
    await guardian.close();
    expect(guardiansOf(run)).toEqual([]);
  });

  it('has a pipe that no other process inherits', async () => {
    const before = await openFilesOfSleeper();
    const guardian = openGuardian(`${newRun()}/`);
    expect(await openFilesOfSleeper()).toEqual(before);
    await guardian.close();
  });
});

/** Runs the guardian's program by itself with these words as input; the end of the input means that the loop has died. */
async function runScript(run: string, words: string): Promise<void> {
  const script = spawn('/bin/sh', ['-c', guardianScript, 'ralph-guardian', `${run}/`], { stdio: ['pipe', 'ignore', 'inherit'], env: psEnvironment });
  started.push(script);
  script.stdin.end(words);
  await once(script, 'exit');
}

/** A process that belongs to us only by its marker: one that sleeps, or a shell with these arguments. */
function startSleeper(marker: string, more: Readonly<Record<string, string>> = {}, shell?: readonly string[]): ProcessIdentity {
  const env = { PATH: process.env['PATH'], RALPH_MARKER: marker, ...more };
  const child = spawn(shell ? '/bin/sh' : 'sleep', shell ?? ['1000'], { detached: true, stdio: 'ignore', env });
  started.push(child);
  const identity = identityOf(pidOf(child));
  if (identity === null) throw new Error('It is not in the process table.');
  return identity;
}

// A missing pid must never become 0: a signal to 0 goes to our own process group.
function pidOf({ pid }: ChildProcess): number {
  if (pid === undefined) throw new Error('It did not start.');
  return pid;
}

function onlyOne(pids: readonly number[]): number {
  const [pid, ...others] = pids;
  if (pid === undefined || others.length > 0) throw new Error(`Not one process but ${pids.length}.`);
  return pid;
}

function ignoredSignalsOf(pid: number): readonly number[] {
  const mask = BigInt(`0x${/^SigIgn:\s*(\w+)$/m.exec(statusOf(pid))?.[1]}`);
  return Array.from({ length: 31 }, (_, index) => index + 1).filter((signal) => (mask >> BigInt(signal - 1)) & 1n);
}

/** The files that a new `sleep` has open once it sleeps; before that the loader opens and closes files. */
async function openFilesOfSleeper(): Promise<readonly string[]> {
  const { pid } = startSleeper('none');
  await until('it sleeps', () => /^Name:\s+sleep$/m.test(statusOf(pid)) && /^State:\s+S/m.test(statusOf(pid)));
  return readdirSync(`/proc/${pid}/fd`).map((fd) => readlinkSync(`/proc/${pid}/fd/${fd}`));
}

function statusOf(pid: number): string {
  return readFileSync(`/proc/${pid}/status`, 'utf8');
}
