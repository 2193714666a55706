import { describe, expect, it } from 'vitest';
import { type ChildrenStage, openChildrenStage } from '../../support/children-stage.ts';
import { deep, deepRows } from '../../support/deep.ts';
import { killPid } from '../../support/kill-pid.ts';
import { until } from '../../support/until.ts';

const ROOT = `
  for (const name of ['one', 'two']) {
    await ralph('job', '--detach', ...child(': > up-' + name + '; trap "" TERM INT; while :; do sleep 0.1; done'));
    await made('up-' + name);
  }
  make('up');
  await new Promise(() => setInterval(() => undefined, 1000));
`;

/** A supervisor, its root agent and two children, all running. */
async function atWork(stage: ChildrenStage) {
  const running = await stage.begin(ROOT);
  await stage.made('up');
  expect(stage.runs()).toHaveLength(3);
  return running;
}

const allGone = (stage: ChildrenStage) => until('nothing is left', () => stage.processes().length === 0, 30_000);

describe('children end with their supervisor', () => {
  it('when it is killed', async () => {
    await using stage = await openChildrenStage();
    const { child, ended } = await atWork(stage);
    child.kill('SIGKILL');
    await ended;
    await allGone(stage);
  });

  it.each(deepRows('the signals differ in their exit code only', ['SIGINT', 'SIGTERM'] as const, 1))(
    'when that is told to stop, now, by %s',
    async (signal) => {
      await using stage = await openChildrenStage();
      const { child, ended } = await atWork(stage);
      child.kill(signal);
      await until('it has heard', () => stage.runs()[0]?.events.some(({ type }) => type === 'operator.asked') ?? false);
      child.kill(signal);
      expect((await ended).code).toBe(signal === 'SIGINT' ? 130 : 143);
      expect(stage.runs().map(({ stopReason }) => stopReason)).toEqual(['interrupted', 'interrupted', 'interrupted']);
      expect(stage.processes()).toEqual([]);
    },
  );

  deep('each of them is killed above, and all three in one order in runs-survive-any-kill.test.ts', () => {
    it('when it and one of them are killed, in either order', async () => {
      for (const order of ['supervisor first', 'child first']) {
        await using stage = await openChildrenStage();
        const { child, ended } = await atWork(stage);
        const one = stage.runs()[1]?.pid;
        const kills = [() => child.kill('SIGKILL'), () => killPid(one, 'SIGKILL')];
        for (const kill of order === 'child first' ? kills.reverse() : kills) kill();
        await ended;
        await allGone(stage);
      }
    });
  });
});
