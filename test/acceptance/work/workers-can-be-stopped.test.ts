import { describe, expect, it, vi } from 'vitest';
import { until } from '../../support/until.ts';
import { eventsIn, expectAllDone, expectTidy, HANGS, openWorkStage, WORKS } from '../../support/work-stage.ts';

vi.setConfig({ maxConcurrency: 3 });

/** The first call does half of the work, reports that, and continues when released. */
const WAITS = '[ "$nth" = 1 ] && [ "$id" = A ] && { : >"$here/busy"; await go; }\n';
const STAYS = `[ "$nth$id" = 1A ] && { echo half >half.txt; ${HANGS.replace('\n', '; ')}; }\n`;
const LONG_GRACE = { settings: {} };

describe.concurrent('ralph work that gets', () => {
  it('one SIGINT finishes its current task, takes no other, and can be resumed', async () => {
    await using stage = await openWorkStage(['A', 'B'], WAITS + WORKS, LONG_GRACE);
    const running = stage.begin();
    await stage.made('busy');
    running.child.kill('SIGINT');
    await until('it drains', () => running.stderr().includes('Interrupted by user'));
    await stage.make('go');
    const run = await stage.over(running);
    const calls = stage.calls();
    const resumed = await stage.ralph('runs', 'resume', '--json');

    expect(run, run.stderr).toMatchObject({ code: 130, result: { stop_reason: 'interrupted', done: false, work: { tasks: { done: 1 } } } });
    expect(calls).toEqual(['A']);
    expect(run.stderr).not.toContain('All tasks complete');
    expect(resumed, resumed.stderr).toMatchObject({ code: 0, result: { stop_reason: 'completed' } });
    expectAllDone(stage, ['A', 'B']);
  });

  it('two SIGINT stops at once; unfinished work is on a branch and continues from there', async () => {
    await using stage = await openWorkStage(['A', 'B'], `${STAYS}[ "$id" = B ] || test -f half.txt || exit 9\n${WORKS}`, LONG_GRACE);
    const running = stage.begin('--workers', '2');
    await stage.made('busy.A');
    running.child.kill('SIGINT');
    await until('it drains', () => running.stderr().includes('Interrupted by user'));
    running.child.kill('SIGINT');
    const run = await stage.over(running);
    const half = stage.repo.git('show', 'ralph/A.1:half.txt');
    const resumed = await stage.ralph('work', '--resume', '--json');

    expect(run, run.stderr).toMatchObject({ code: 130, result: { stop_reason: 'interrupted', work: { tasks: { failed: 0 } } } });
    expect(run.ms).toBeLessThan(40_000);
    expect(half).toBe('half');
    expect(resumed, resumed.stderr).toMatchObject({ code: 0, result: { stop_reason: 'completed' } });
    // The agent of B may have been stopped before its own commit; then the loop has committed for it.
    expect([...stage.merged()].sort()).toEqual(['A', 'B']);
    expect(stage.statuses()).toEqual({ A: 'complete', B: 'complete' });
    expectTidy(stage);
  });

  it('SIGTERM stops its agents, and another run continues the unfinished work', async () => {
    await using stage = await openWorkStage(['A'], `${STAYS}test -f half.txt || exit 9\n${WORKS}`);
    const running = stage.begin();
    await stage.made('busy.A');
    running.child.kill('SIGTERM');
    const run = await stage.over(running);
    const free = eventsIn(stage, 'task.released').map(({ state }) => state);
    const next = await stage.work();

    expect(run, run.stderr).toMatchObject({ code: 143, result: { stop_reason: 'interrupted', work: { tasks: { failed: 0, not_completed: 0 } } } });
    expect(free).toEqual(['free']);
    expect(next, next.stderr).toMatchObject({ code: 0, result: { stop_reason: 'completed' } });
    expectAllDone(stage, ['A']);
  });

  it('ralph runs drain with two running tasks finishes both', async () => {
    await using stage = await openWorkStage(['A', 'B', 'C'], `: >"$here/busy.$id"; await go\n${WORKS}`);
    const running = stage.begin('--workers', '2');
    await stage.made('busy.A');
    await stage.made('busy.B');
    const asked = await stage.start('runs', 'drain').ended;
    await stage.make('go');
    const run = await stage.over(running);

    expect(asked, asked.stderr).toMatchObject({ code: 0 });
    expect(run, run.stderr).toMatchObject({ code: 130, result: { stop_reason: 'interrupted', work: { tasks: { done: 2 } } } });
    expect(stage.statuses()).toEqual({ A: 'complete', B: 'complete', C: 'pending' });
    expectTidy(stage);
  });

  it('ralph runs pause takes nothing new until it is resumed', async () => {
    await using stage = await openWorkStage(['A', 'B', 'C'], WAITS + WORKS, { edges: [['A', 'C']] });
    const running = stage.begin('--workers', '2');
    await stage.made('busy');
    await until('the other one is done', () => stage.statuses()['B'] === 'complete');
    const paused = await stage.start('runs', 'pause').ended;
    await stage.make('go');
    await until('its task is done', () => stage.statuses()['A'] === 'complete');
    expect(stage.statuses()['C']).toBe('pending');
    const resumed = await stage.start('runs', 'resume').ended;
    const run = await stage.over(running);

    expect([paused.code, resumed.code], paused.stderr + resumed.stderr).toEqual([0, 0]);
    expect(run, run.stderr).toMatchObject({ code: 0, result: { stop_reason: 'completed' } });
    expectAllDone(stage, ['A', 'B', 'C']);
  });
});

describe.concurrent('ralph work stops by itself', () => {
  it('after more failures than --max-failures', async () => {
    await using stage = await openWorkStage(['A', 'B', 'C', 'D'], 'exit 3');
    const run = await stage.work('--max-failures', '1');

    expect(run, run.stderr).toMatchObject({ code: 1, result: { stop_reason: 'stuck', done: false, work: { tasks: { failed: 2 } } } });
    expect(stage.calls()).toEqual(['A', 'B']);
    expectTidy(stage);
  });

  it('after --max-time, and releases its tasks', async () => {
    await using stage = await openWorkStage(['A', 'B'], `${STAYS}${WORKS}`);
    const run = await stage.work('--max-time', '4s');
    const next = await stage.work();

    expect(run, run.stderr).toMatchObject({ code: 1, result: { done: false, work: { tasks: { failed: 0 } } } });
    expect(run.ms).toBeLessThan(40_000);
    expect(next, next.stderr).toMatchObject({ code: 0 });
    expectAllDone(stage, ['A', 'B']);
  });

  it('after -n tasks', async () => {
    await using stage = await openWorkStage(['A', 'B', 'C'], WORKS);
    const run = await stage.work('-n', '2');

    expect(run, run.stderr).toMatchObject({ result: { done: false, iterations: 2, work: { tasks: { done: 2 } } } });
    expect(stage.merged()).toEqual(['A', 'B']);
    expect(run.stderr).not.toContain('All tasks complete');
    expectTidy(stage);
  });

  it('when only human work remains: exit code 0, or 3 with --fail-on-blocked', async () => {
    await using stage = await openWorkStage(['A', 'B'], WORKS, { edges: [['A', 'B']] });
    await stage.ralph('task', 'claim', 'A');
    const [run, failing] = [await stage.work(), await stage.work('--fail-on-blocked')];

    expect(run, run.stderr).toMatchObject({ code: 0, result: { stop_reason: 'blocked', done: false } });
    expect(failing, failing.stderr).toMatchObject({ code: 3, result: { stop_reason: 'blocked', done: false } });
    expect(stage.calls()).toEqual([]);
  });
});
