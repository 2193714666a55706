import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { bash, CLAIM, ends, stay, tool, turn } from '../../support/claude-script.ts';
import { openStage, type Stage, WORK, WORKED } from '../../support/stage.ts';
import { until } from '../../support/until.ts';

const works = turn(bash(WORK), ...ends(CLAIM));
const inASessionOfItsOwn = tool('exec sleep 600');
const withoutEnvironment = tool('exec env -i sleep 600');
/** Prints once more after the kill into a closed pipe, and dies of that before the guardian has seen it. */
const talks = turn(inASessionOfItsOwn, bash('touch ../beside/busy'), stay);
const isSilent = turn(inASessionOfItsOwn, withoutEnvironment, tool('touch ../beside/busy'), stay);

/** Starts a loop, waits until it works, and kills it. */
async function startAndKill(stage: Stage): Promise<void> {
  const running = stage.start();
  await stage.made('busy');
  running.child.kill('SIGKILL');
  await running.ended;
}

const allAreGone = (stage: Stage) => until('nothing of it runs any more', () => stage.processes().length === 0);

describe.concurrent('kill -9 of the loop', () => {
  it('ends the agent and its tools, also those in other sessions and without our marker', async () => {
    await using stage = await openStage([isSilent]);
    const running = stage.start();
    await stage.made('busy');
    await until('both tools run', () => stage.processes().filter(({ command }) => command === 'sleep 600').length === 2);
    running.child.kill('SIGKILL');
    expect(await running.ended).toMatchObject({ code: null, signal: 'SIGKILL', stdout: '' });
    await allAreGone(stage);

    expect(stage.after()).toEqual({ calls: 1, commits: 1, changed: [], processes: [] });
  });

  it('ends a running gate', async () => {
    await using stage = await openStage([works], { gate: 'touch ../beside/busy; sleep 600' });
    await startAndKill(stage);
    await allAreGone(stage);

    expect(stage.after()).toEqual({ calls: 1, commits: 1, changed: WORKED, processes: [] });
  });

  it('is reported by ralph status, and --resume continues that run to its end', async () => {
    await using stage = await openStage([talks, works]);
    await startAndKill(stage);
    const { result: dead } = await stage.ralph('status', '--json');
    const { stdout: words } = await stage.ralph('status');
    const resumed = await stage.ralph('run', '--resume', '--json');

    expect(dead).toMatchObject({ status: 'dead', done: false, stop_reason: null, iterations: 1 });
    expect(words).toContain(`ralph runs resume ${dead?.run_id}`);
    expect(resumed.code).toBe(0);
    expect(resumed.stderr).toContain('The agent was cut off when the loop died.');
    expect(resumed.result).toMatchObject({ run_id: dead?.run_id, stop_reason: 'completed', done: true, iterations: 1, attempts: 2 });
    await allAreGone(stage);
    expect(stage.after()).toEqual({ calls: 2, commits: 1, changed: WORKED, processes: [] });
  });

  it('does not make a plain start resume: it is a new run, and the killed one can still be resumed by its name', async () => {
    await using stage = await openStage([talks, works]);
    await startAndKill(stage);
    const { result: dead } = await stage.ralph('status', '--json');
    const fresh = await stage.run();
    const resumed = await stage.ralph('run', '--resume', `${dead?.run_id}`, '--json');

    expect(fresh.code).toBe(0);
    expect(fresh.result).toMatchObject({ stop_reason: 'completed', iterations: 1, attempts: 1 });
    expect(fresh.result?.run_id).not.toBe(dead?.run_id);
    expect(resumed.code).toBe(0);
    expect(resumed.result).toMatchObject({ run_id: dead?.run_id, stop_reason: 'completed', attempts: 2 });
    await allAreGone(stage);
    expect(stage.after()).toEqual({ calls: 3, commits: 1, changed: WORKED, processes: [] });
  });
});

describe.concurrent('a second loop in the same directory', () => {
  it('is refused with exit code 4 and the active run and process, also with --resume; after kill -9 of the first it takes over', async () => {
    await using stage = await openStage([talks, works]);
    const running = stage.start();
    await stage.made('busy');
    const { result: first } = await stage.ralph('status', '--json');
    const refused = await stage.run();
    const notResumed = await stage.ralph('run', '--resume', '--json');
    running.child.kill('SIGKILL');
    await running.ended;
    const after = await stage.run();

    expect(first).toMatchObject({ status: 'running', iterations: 1 });
    expect(refused.code).toBe(4);
    expect(refused.result).toMatchObject({ stop_reason: 'fatal', done: false, exit_code: 4 });
    expect(refused.stderr).toMatch(new RegExp(`^error: .*${first?.run_id}.*pid ${running.child.pid}\\b.*\nhint: .+\n$`));
    expect(notResumed.code).toBe(4);
    expect(notResumed.stderr).toContain(`pid ${running.child.pid}`);
    expect(after.code).toBe(0);
    expect(after.result).toMatchObject({ stop_reason: 'completed', iterations: 1 });
    await allAreGone(stage);
    expect(stage.after()).toEqual({ calls: 2, commits: 1, changed: WORKED, processes: [] });
  });
});

describe.concurrent('a killed run in another worktree', () => {
  it('is neither shown nor resumed here, only where it was started', async () => {
    await using stage = await openStage([talks, works]);
    const other = join(stage.repo.beside, 'other');
    stage.repo.git('worktree', 'add', '-q', other);
    await startAndKill(stage);
    const { result: dead } = await stage.ralph('status', '--json');
    const shown = await stage.ralphIn(other, 'status');
    const newest = await stage.ralphIn(other, 'run', '--resume');
    const named = await stage.ralphIn(other, 'run', '--resume', `${dead?.run_id}`);

    expect(shown).toMatchObject({ code: 2, stdout: '' });
    expect(newest).toMatchObject({ code: 2, stdout: '' });
    expect(newest.stderr).toMatch(/^error: there is no run here\n/);
    expect(named).toMatchObject({ code: 2, stdout: '' });
    expect(named.stderr).toMatch(new RegExp(`^error: run ${dead?.run_id} works in ${stage.repo.path}\nhint: .+\n$`));
    await allAreGone(stage);
    expect(stage.after()).toEqual({ calls: 1, commits: 1, changed: [], processes: [] });
  });
});
