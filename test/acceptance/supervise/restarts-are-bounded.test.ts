import { describe, expect, it } from 'vitest';
import { bodiesOf, doneInLife, eventsIn, openSuperviseStage } from '../../support/supervise-stage.ts';

/** The pauses between the starts, in order. */
function pausesMs(stage: Parameters<typeof eventsIn>[0]): readonly number[] {
  const ends = eventsIn(stage, 'iteration.closed').map(({ at }) => Number(at));
  const begins = eventsIn(stage, 'iteration.opened').map(({ at }) => Number(at));
  return begins.slice(1).map((begin, index) => begin - (ends[index] ?? Number.NaN));
}

describe.concurrent('restarts', () => {
  it('work a hundred times in a row and leave nothing behind', async () => {
    await using stage = await openSuperviseStage(`echo "words of life $life"\n${doneInLife(100)}\nexit 1`);
    const run = await stage.supervise('--quiet');

    expect(run, run.stderr).toMatchObject({ code: 0, result: { stop_reason: 'completed', restarts: 100, attempts: 100 } });
    expect(stage.lives()).toEqual(Array.from({ length: 100 }, (_, index) => `${index + 1}.1`));
    expect(stage.messages().filter(({ body }) => body.startsWith('starting root agent'))).toHaveLength(100);
    expect(bodiesOf(stage.messages(), 'RUN_CRASH')).toHaveLength(100);
  });

  it('that are used up cannot be resumed: the command says so at once, and starts and writes nothing', async () => {
    await using stage = await openSuperviseStage('exit 1');
    const run = await stage.supervise('--max-restarts', '2');
    const resumed = await stage.ralph('runs', 'resume', '--json');

    expect(run, run.stderr).toMatchObject({ code: 1, result: { stop_reason: 'max_restarts' } });
    expect(resumed.code).toBe(2);
    expect(resumed.stderr).toMatch(/^error: run \S+ has used up its restarts \(max restarts \(2\) exceeded\); there is nothing to resume\n/);
    expect(resumed.stderr).toMatch(/\nhint: Start a new one with: ralph supervise --project \S+ --task \S+\n$/);
    expect([stage.lives(), eventsIn(stage, 'run.resumed')]).toEqual([['1.1', '2.1'], []]);
  });

  it('with --backoff double the pause with each consecutive failure, up to its limit', async () => {
    await using stage = await openSuperviseStage(`${doneInLife(6)}\nexit 1`);
    const run = await stage.supervise('--restart-delay', '100ms', '--backoff', '400ms');

    expect(run, run.stderr).toMatchObject({ code: 0, result: { restarts: 6 } });
    const least = [100, 200, 400, 400, 400];
    expect(pausesMs(stage).map((ms, index) => ms >= (least[index] ?? 0) && ms < (least[index] ?? 0) + 5_000)).toEqual(least.map(() => true));
  });

  it('with --backoff reset the pause after a success', async () => {
    await using stage = await openSuperviseStage(`${doneInLife(5)}\n[ "$life" = 3 ] || exit 1`);
    const run = await stage.supervise('--restart-delay', '100ms', '--backoff', '1m');
    const [first = 0, second = 0, third = 0, fourth = 0] = pausesMs(stage);

    expect(run, run.stderr).toMatchObject({ code: 0 });
    expect([first >= 100, second >= 200, third >= 100, fourth >= 100]).toEqual([true, true, true, true]);
    expect(fourth).toBeLessThan(5_000);
  });

  it('with --restart-intensity end after too many failures, with a message', async () => {
    await using stage = await openSuperviseStage('exit 1');
    const run = await stage.supervise('--restart-intensity', '3/1m');

    expect(run, run.stderr).toMatchObject({ code: 1, result: { stop_reason: 'stuck', done: false, restarts: 4 } });
    expect(run.result?.message).toMatch(/^giving up: 4 failures within .+, at most 3 within 1m are allowed$/);
    expect(bodiesOf(stage.messages(), 'ERROR')).toEqual([`task failed: ${run.result?.message}`]);
    expect(stage.lives()).toHaveLength(4);
  });

  it('with --restart-intensity count only failures, and only those within the time', async () => {
    await using stage = await openSuperviseStage(`${doneInLife(6)}\n[ $((life % 2)) = 0 ] || exit 1`);
    const [fine, slow] = [await stage.supervise('--restart-intensity', '3/1m'), await stage.supervise('--max-restarts', '2')];

    expect(fine, fine.stderr).toMatchObject({ code: 0, result: { stop_reason: 'completed', restarts: 6 } });
    expect(slow, slow.stderr).toMatchObject({ code: 0, result: { restarts: 0 } });
  });

  it('with --restart-intensity continue if the failures are far enough apart', async () => {
    await using stage = await openSuperviseStage(`${doneInLife(4)}\nexit 1`);
    const run = await stage.supervise('--restart-intensity', '1/50ms', '--restart-delay', '200ms');

    expect(run, run.stderr).toMatchObject({ code: 0, result: { stop_reason: 'completed', restarts: 4 } });
  });

  it('end as done if DONE comes with the failure that is one too many', async () => {
    await using stage = await openSuperviseStage(`${doneInLife(2)}\nexit 1`);

    expect(await stage.supervise('--restart-intensity', '1/1m')).toMatchObject({ code: 0, result: { stop_reason: 'completed', restarts: 2 } });
  });

  it('are counted from 0 by a new supervisor of the same task', async () => {
    await using stage = await openSuperviseStage('exit 1');
    const first = await stage.supervise('--max-restarts', '2');
    const second = await stage.supervise('--max-restarts', '2');

    expect(first, first.stderr).toMatchObject({ code: 1, result: { stop_reason: 'max_restarts', restarts: 2 } });
    expect(second, second.stderr).toMatchObject({ code: 1, result: { stop_reason: 'max_restarts', restarts: 2 } });
    expect(stage.lives()).toEqual(['1.1', '2.1', '1.1', '2.1']);
  });
});
