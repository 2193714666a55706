import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { deepRows } from '../../support/deep.ts';
import { branchesOf, eventsIn, expectTidy, openWorkStage, WORKS } from '../../support/work-stage.ts';

vi.setConfig({ maxConcurrency: 3 });

const unproven = [
  ['without its output', 'output: made.txt', 'Output file missing: made.txt'],
  ['with an empty output', 'output: empty.txt', 'Output file is empty: empty.txt'],
  ['with verify red', 'verify: ["echo this is $((6 * 7)); exit 7"]', 'this is 42'],
] as const;

describe.concurrent('a task that is reported as complete', () => {
  it.each(unproven)('%s is retried with the reason, then fails; the run continues with the next', async (_, fields, reason) => {
    await using stage = await openWorkStage([['A', fields], 'B'], ': >empty.txt; work; claim');
    const run = await stage.work();

    expect(run, run.stderr).toMatchObject({ code: 1, result: { stop_reason: 'stuck', done: false, work: { tasks: { done: 1, unproven: 3 } } } });
    expect([...stage.calls()].sort()).toEqual(['A', 'A', 'A', 'B']);
    expect(stage.prompts('A').map((prompt) => prompt.split(reason).length > 1)).toEqual([false, true, true]);
    expect(stage.statuses()).toEqual({ A: 'pending', B: 'complete' });
    expect(stage.merged()).toEqual(['B']);
    expect(run.stderr + run.stdout).not.toContain('All tasks complete');
    const shown = await stage.ralph('task', 'show', 'A');
    expect(shown.stdout).toContain('failed');
  });

  it('can be proven in its second try', async () => {
    await using stage = await openWorkStage([['A', 'verify: ["test -f second"]']], '[ "$nth" = 1 ] || echo x >second; work; claim');
    const run = await stage.work();

    expect(run, run.stderr).toMatchObject({ code: 0, result: { done: true, unproven: false, work: { tasks: { done: 1, unproven: 1 } } } });
    expectTidy(stage);
  });

  it('and proven has the branches of its earlier tries removed', async () => {
    await using stage = await openWorkStage([['A', 'verify: ["test -f second"]']], '[ "$nth" = 1 ] || echo x >second; work; claim');
    await stage.work();

    expect(branchesOf(stage.repo)).toEqual(['main']);
  });

  it.each(
    deepRows(
      'what counts as a claim is a pure rule, with a test of each row',
      ['<promise>COMPLETE</promise>', '<promise>DONE</promise>', '<response>DONE</response>', 'All of it works.\nDONE', '**COMPLETE**'],
      1,
    ),
  )('in words, %j, counts as the command does: the gates decide', async (words) => {
    const says = `printf '%s\\n' '${words.replaceAll('\n', "' '")}'`;
    await using stage = await openWorkStage([['A', 'verify: ["test -f second"]']], `[ "$nth" = 1 ] || echo x >second; work; ${says}`);
    const run = await stage.work();

    expect(run, run.stderr).toMatchObject({ code: 0, result: { done: true, work: { tasks: { done: 1, unproven: 1, not_completed: 0 } } } });
    expect(run.stderr).not.toContain('Exited without completing');
    expectTidy(stage);
  });

  it.each(
    deepRows(
      'what counts as a claim is a pure rule, with a test of each row',
      ['DONE: nothing yet', 'I will answer DONE when it is finished.', '<response>NOT YET</response>\nDONE'],
      1,
    ),
  )('in words that claim nothing, %j, is none', async (words) => {
    await using stage = await openWorkStage(['A'], `work; printf '%s\\n' '${words.replaceAll('\n', "' '")}'`);
    const run = await stage.work();

    expect(run, run.stderr).toMatchObject({ code: 1, result: { done: false, work: { tasks: { done: 0, not_completed: 1 } } } });
  });

  it('by an agent without output is not retried', async () => {
    await using stage = await openWorkStage(['A'], 'work; ralph task complete A >/dev/null 2>&1', { quiet: true });
    const run = await stage.work();

    expect(run, run.stderr).toMatchObject({ code: 0, result: { iterations: 1, attempts: 1 } });
    expect(stage.calls()).toEqual(['A']);
  });
});

it.concurrent('a check that is red only once is run again at once: the task is merged, and its agent is not started again', async () => {
  await using stage = await openWorkStage(['A'], WORKS);
  const seen = join(stage.repo.beside, 'seen');
  const run = await stage.work('--proof', 'off', '--check', `test -e ${seen} || { : >${seen}; exit 1; }`);

  expect(run, run.stderr).toMatchObject({ code: 0, result: { iterations: 1, attempts: 1, work: { tasks: { done: 1 } } } });
  expect(eventsIn(stage, 'gates.judged')).toMatchObject([{ results: [{ green: true, flaky: true }] }]);
});

const notDone = [
  ['ends without completing it', 'exit 0', 'not_completed', 'ended without completing the task'],
  ['fails', 'exit 3', 'failed', 'exit'],
] as const;

describe.concurrent('a task whose agent', () => {
  it('is killed is tried again twice, from its last state, and then left for a person', async () => {
    await using stage = await openWorkStage(['A', 'B', 'C'], `[ "$id" = A ] && { date +%N >>A.txt; save; kill -9 $$; }\n${WORKS}`, { edges: [['A', 'C']] });
    const run = await stage.work();

    expect(run, run.stderr).toMatchObject({ code: 1, result: { stop_reason: 'stuck', work: { tasks: { done: 1 } } } });
    expect(stage.calls().filter((id) => id === 'A')).toHaveLength(3);
    expect(stage.calls()).not.toContain('C');
    expect(stage.prompts('A')[1]).toContain('SIGKILL');
    expect(run.stderr).not.toContain('All tasks complete');
  });

  it.each(notDone)('%s is left for a person, and the run continues', async (_, how, count) => {
    await using stage = await openWorkStage(['A', 'B', 'C'], `[ "$id" = A ] && { work; ${how}; }\n${WORKS}`, { edges: [['A', 'C']] });
    const run = await stage.work();
    const again = await stage.work();

    expect(run, run.stderr).toMatchObject({ code: 1, result: { stop_reason: 'stuck', work: { tasks: { done: 1, [count]: 1 } } } });
    expect(stage.calls()).toEqual(['A', 'B']);
    // It failed in another run, so this one has nothing to do.
    expect(again, again.stderr).toMatchObject({ code: 0, result: { stop_reason: 'blocked', iterations: 0 } });
    expect(again.stderr).toContain('A');
    expect(run.stderr + again.stderr).not.toContain('All tasks complete');
    expectTidy(stage, ['ralph/A.1']);
  });

  it.each(notDone)('%s is retried with --retry-failed, from its last state and with the reason', async (_, how, count, told) => {
    await using stage = await openWorkStage(['A'], `[ "$nth" = 1 ] && { echo kept >half.txt; save; ${how}; }\ntest -f half.txt || exit 9\n${WORKS}`);
    const run = await stage.work('--retry-failed', '1');

    expect(run, run.stderr).toMatchObject({ code: 0, result: { done: true, work: { tasks: { done: 1, [count]: 1 } } } });
    expect(stage.prompts('A')[1]).toContain(told);
    expect(eventsIn(stage, 'task.released').map(({ state }) => state)).toEqual(['free', 'done']);
    expectTidy(stage);
  });

  it('failed is started again after a reset', async () => {
    await using stage = await openWorkStage(['A'], `[ "$nth" = 1 ] && exit 3\n${WORKS}`);
    await stage.work();
    const reset = await stage.ralph('task', 'reset', 'A');
    const run = await stage.work();

    expect(reset, reset.stderr).toMatchObject({ code: 0 });
    expect(run, run.stderr).toMatchObject({ code: 0, result: { stop_reason: 'completed' } });
  });
});
