import { describe, expect, it } from 'vitest';
import { bodiesOf, eventsIn, openSuperviseStage, type SuperviseStage } from '../../support/supervise-stage.ts';
import { until } from '../../support/until.ts';

/** Starts a child that stays until somebody lets it go, and says DONE without waiting for it. */
const PARENT = `if [ "$RALPH_PARENT_RUN_ID" ]; then : >"$here/child"; while [ ! -e "$here/go" ]; do sleep 0.1; done; exit; fi
ralph job --detach -- sh "$0" || exit 9
: >"$TASK_FOLDER/DONE"`;

/** The supervisor has nothing left to do but to wait for the child. */
async function waitingForItsChild(stage: SuperviseStage, ...more: readonly string[]) {
  const running = stage.begin(...more);
  await stage.made('child');
  await until('the child is waited for', () => eventsIn(stage, 'children.awaited').length === 1);
  return running;
}

describe.concurrent('leaving while children work:', () => {
  it.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const)('%s ends the children too, and nothing was told to the project; resumed it is done', async (signal, code) => {
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

  it('kill -9 of the supervisor takes the child along; resumed it is done', async () => {
    await using stage = await openSuperviseStage(PARENT);
    const running = await waitingForItsChild(stage);
    const run = String(eventsIn(stage, 'run.started')[0]?.['run']);
    await stage.kill(running);
    const resumed = await stage.ralph('runs', 'resume', run, '--json');

    expect(resumed, resumed.stderr).toMatchObject({ code: 0, result: { run_id: run, stop_reason: 'completed', restarts: 1 } });
    expect(stage.projectMessages()).toHaveLength(1);
  });

  it('who is not asked to leave waits, says so, and is done when the child is', async () => {
    await using stage = await openSuperviseStage(PARENT);
    const running = await waitingForItsChild(stage);
    await stage.make('go');
    const run = await stage.over(running);
    const [child] = eventsIn(stage, 'child.started').map((event) => event['run']);

    expect(run, run.stderr).toMatchObject({ code: 0, result: { stop_reason: 'completed', message: 'task completed (all children finished)' } });
    expect(bodiesOf(stage.messages(), 'INFO')).toContain(`waiting for 1 children to complete: [${child}]`);
  });
});
