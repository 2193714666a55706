import { describe, expect, it } from 'vitest';
import { bodiesOf, eventsIn, openSuperviseStage, type SuperviseStage } from '../../support/supervise-stage.ts';
import { until } from '../../support/until.ts';

/** Starts a child that runs until it is released, and writes DONE without waiting for it. */
const PARENT = `if [ "$RALPH_PARENT_RUN_ID" ]; then : >"$here/child"; while [ ! -e "$here/go" ]; do sleep 0.1; done; exit; fi
ralph job --detach -- sh "$0" || exit 9
: >"$TASK_FOLDER/DONE"`;

/** The supervisor only waits for the child. */
async function waitingForItsChild(stage: SuperviseStage, ...more: readonly string[]) {
  const running = stage.begin(...more);
  await stage.made('child');
  await until('the child is waited for', () => eventsIn(stage, 'children.awaited').length === 1);
  return running;
}

describe.concurrent('while children are running,', () => {
  it.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const)('%s stops them too, and nothing is posted to the project; the resumed run is done', async (signal, code) => {
    await using stage = await openSuperviseStage(PARENT);
    const running = await waitingForItsChild(stage);
    running.child.kill(signal);
    const run = await stage.over(running);
    const told = stage.projectMessages();
    const resumed = await stage.ralph('runs', 'resume', `${run.result?.run_id}`, '--json');

    expect(run, run.stderr).toMatchObject({ code, result: { stop_reason: 'interrupted', done: false, restarts: 1 } });
    expect(run.ms).toBeLessThan(60_000);
    expect(told).toEqual([]);
    expect(resumed, resumed.stderr).toMatchObject({ code: 0, result: { stop_reason: 'completed', restarts: 1 } });
    expect(stage.projectMessages()).toHaveLength(1);
  });

  it('kill -9 of the supervisor ends them too; the resumed run is done', async () => {
    await using stage = await openSuperviseStage(PARENT);
    const running = await waitingForItsChild(stage);
    const run = String(eventsIn(stage, 'run.started')[0]?.['run']);
    await stage.kill(running);
    const resumed = await stage.ralph('runs', 'resume', run, '--json');

    expect(resumed, resumed.stderr).toMatchObject({ code: 0, result: { run_id: run, stop_reason: 'completed', restarts: 1 } });
    expect(stage.projectMessages()).toHaveLength(1);
  });

  it('a supervisor without a signal waits for them, says so, and is done when they are', async () => {
    await using stage = await openSuperviseStage(PARENT);
    const running = await waitingForItsChild(stage);
    await stage.make('go');
    const run = await stage.over(running);
    const [child] = eventsIn(stage, 'child.started').map((event) => event['run']);

    expect(run, run.stderr).toMatchObject({ code: 0, result: { stop_reason: 'completed', message: 'task completed (all children finished)' } });
    expect(bodiesOf(stage.messages(), 'INFO')).toContain(`waiting for 1 children to complete: [${child}]`);
  });
});
