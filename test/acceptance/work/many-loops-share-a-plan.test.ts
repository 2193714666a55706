import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { deepIt } from '../../support/deep.ts';
import { killPid } from '../../support/kill-pid.ts';
import type { RunningRalph } from '../../support/ralph.ts';
import { endOf } from '../../support/stage.ts';
import { until } from '../../support/until.ts';
import { eventsIn, expectAllDone, HANGS, openWorkStage, type WorkStage } from '../../support/work-stage.ts';

/** The first agent of the task `bait` never ends; the other tasks are done meanwhile. */
const BAITED = `[ "$id$nth" = bait1 ] && { work; ${HANGS.replace('\n', '; ')}; }\nawait busy.bait; work; claim`;
const TASKS = ['bait', 'a', 'b', 'c', 'd'];
/** An idle loop looks for tasks every two seconds. */
const LONG_ENOUGH_MS = 5_000;

/** The runs that have taken the task, from their journals. */
async function holderOf(stage: WorkStage, task: string, loops: readonly RunningRalph[]): Promise<RunningRalph> {
  await stage.made(`busy.${task}`);
  const runs = eventsIn(stage, 'run.started');
  const listed = await stage.start('task', 'show', task, '--json').ended;
  const run = runs.find(({ run: id }) => listed.stdout.includes(String(id)));
  const pid = (run?.['writer'] as { readonly pid: number } | undefined)?.pid;
  const found = loops.find(({ child }) => child.pid === pid);
  if (found === undefined) throw new Error(`nobody has ${task}: ${listed.stdout}${listed.stderr}`);
  return found;
}

describe.concurrent('of several loops on one plan', () => {
  it('one of four is killed: the others finish its task, and each task is done once', async () => {
    await using stage = await openWorkStage(TASKS, BAITED);
    const loops = Array.from({ length: 4 }, () => stage.begin());
    const victim = await holderOf(stage, 'bait', loops);
    victim.child.kill('SIGKILL');
    const ends = await Promise.all(loops.map(endOf));

    const codes = ends.filter((_, index) => loops[index] !== victim).map(({ code }) => code);
    expect(codes, ends.map(({ stderr }) => stderr).join('\n---\n')).toEqual([0, 0, 0]);
    await until('nothing is left', () => stage.processes().length === 0);
    expectAllDone(stage, TASKS);
    expect(
      stage
        .calls()
        .filter((id) => id !== 'bait')
        .toSorted(),
    ).toEqual(['a', 'b', 'c', 'd']);
    expect(stage.calls().filter((id) => id === 'bait')).toHaveLength(2);
  });

  deepIt('the other tests kill loops, and a work tree shares all state')('one in another work tree is killed: the other finishes its task', async () => {
    await using stage = await openWorkStage(['bait', 'a'], BAITED);
    const other = join(stage.repo.beside, 'other');
    stage.repo.git('worktree', 'add', '-q', '-b', 'other', other);
    const first = stage.beginIn(other);
    await stage.made('busy.bait');
    const second = stage.begin();
    first.child.kill('SIGKILL');
    const [, run] = await Promise.all([endOf(first), endOf(second)]);

    expect(run, run.stderr).toMatchObject({ code: 0 });
    await until('nothing is left', () => stage.processes().length === 0);
    expect([...stage.merged()].sort()).toEqual(['a', 'bait']);
    expect([...stage.calls()].sort()).toEqual(['a', 'bait', 'bait']);
  });

  it('one that is suspended keeps its task; after it is killed, another takes the task', async () => {
    await using stage = await openWorkStage(['bait', 'a'], BAITED);
    const first = stage.begin();
    await stage.made('busy.bait');
    killPid(first.child.pid, 'SIGSTOP');
    const second = stage.begin();
    await until('the other task is done', () => stage.statuses()['a'] === 'complete', 40_000);
    const isTaken = until('the held task is taken', () => stage.calls().filter((id) => id === 'bait').length > 1, LONG_ENOUGH_MS);
    await expect(isTaken).rejects.toThrow('Not within');
    first.child.kill('SIGKILL');
    const [, run] = await Promise.all([endOf(first), endOf(second)]);

    expect(run, run.stderr).toMatchObject({ code: 0, result: { stop_reason: 'completed' } });
    await until('nothing is left', () => stage.processes().length === 0);
    expectAllDone(stage, ['a', 'bait']);
  });

  it('one dies while it merges: the queue continues without it', async () => {
    await using stage = await openWorkStage(['a', 'b'], '[ "$id" = b ] || { : >"$here/busy"; await go; }\nwork; claim');
    const judging = join(stage.repo.beside, 'judging');
    // Green on the branch of a task; hangs at the first merged result.
    const check = `git symbolic-ref -q HEAD || [ -e ${judging} ] || { touch ${judging}; exec sleep 600; }`;
    const first = stage.begin('--check', check);
    await stage.made('busy');
    await stage.repo.write('person.txt', 'so that the merged tree is another one');
    stage.repo.git('add', '-A');
    stage.repo.git('commit', '-qm', 'by a person');
    await stage.make('go');
    await stage.made('judging');
    const second = stage.begin('--check', check);
    await stage.made('prompts/b.1');
    first.child.kill('SIGKILL');
    const [, run] = await Promise.all([endOf(first), endOf(second)]);

    expect(run, run.stderr).toMatchObject({ code: 0, result: { stop_reason: 'completed' } });
    await until('nothing is left', () => stage.processes().length === 0);
    expect([...stage.merged()].sort()).toEqual(['a', 'b']);
  });
});

describe.concurrent('the agent of one worker', () => {
  it('is killed: its task is tried again from where it was, and the run continues', async () => {
    await using stage = await openWorkStage(TASKS, BAITED);
    const running = stage.begin('--workers', '2');
    await stage.made('busy.bait');
    await until('its pid is there', () => stage.read('busy.bait').endsWith('\n'));
    killPid(stage.read('busy.bait'), 'SIGKILL');
    const run = await stage.over(running);

    expect(run, run.stderr).toMatchObject({ code: 0, result: { done: true } });
    expectAllDone(stage, TASKS);
    expect(stage.calls().filter((id) => id === 'bait')).toHaveLength(2);
    expect(stage.repo.git('log', '--format=%s', 'main')).toContain('work of bait');
  });
});
