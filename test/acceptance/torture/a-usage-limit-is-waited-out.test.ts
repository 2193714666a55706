import { describe, expect, it } from 'vitest';
import { bash, CLAIM, ends, limited, turn } from '../../support/claude-script.ts';
import { type EndedRun, endOf, iterationsOf, journalOf, openStage, WORK, WORKED } from '../../support/stage.ts';
import { until } from '../../support/until.ts';

const works = turn(bash(WORK), ...ends(CLAIM));
const HOUR = 3_600_000;

describe.concurrent('a usage limit', () => {
  it('is waited out until its reset, twice, and costs no iteration', async () => {
    await using stage = await openStage([limited(3_000), limited(3_000), works]);
    const run = await stage.run('-m', '1');

    expect(run.code).toBe(0);
    expect(run.result).toMatchObject({ stop_reason: 'completed', done: true, iterations: 1, attempts: 3 });
    expect(iterationsOf(run)).toEqual(['green']);
    expect(run.stderr.match(/Usage limit \(five_hour\): waiting until .*Not counted as an iteration\./g)).toHaveLength(2);
    const [first, second, third] = stage.calls().map(({ atMs }) => atMs);
    const [firstReset, secondReset] = resetsIn(run);
    expect(firstReset).toBeGreaterThan(first ?? 0);
    expect(second).toBeGreaterThanOrEqual(firstReset ?? Number.NaN);
    expect(third).toBeGreaterThanOrEqual(secondReset ?? Number.NaN);
    expect(run.ms).toBeLessThan(30_000);
    expect(stage.after()).toEqual({ calls: 3, commits: 1, changed: WORKED, processes: [] });
  });

  it('without a structured event is read from the text of the failed turn', async () => {
    // The reset time was a minute ago, so the shortest pause is enough.
    await using stage = await openStage([limited(-120_000, 'by text'), works]);
    const run = await stage.run('-m', '1');

    expect(run.code).toBe(0);
    expect(run.result).toMatchObject({ stop_reason: 'completed', iterations: 1, attempts: 2 });
    expect(run.stderr).toMatch(/Usage limit \(five_hour\): waiting until/);
    expect(stage.after()).toEqual({ calls: 2, commits: 1, changed: WORKED, processes: [] });
  });

  it('that lasts longer than --max-limit-wait ends the run at once as rate_limited, with exit code 1', async () => {
    await using stage = await openStage([limited(HOUR)]);
    const run = await stage.run('--max-limit-wait', '5s');

    expect(run.code).toBe(1);
    expect(run.result).toMatchObject({ stop_reason: 'rate_limited', done: false, iterations: 1, attempts: 1 });
    expect(iterationsOf(run)).toEqual(['abandoned']);
    expect(run.stderr).toMatch(/^Usage limit .*5s is allowed$/m);
    expect(run.ms).toBeLessThan(20_000);
    expect(stage.after()).toEqual({ calls: 1, commits: 1, changed: [], processes: [] });
    expect((await stage.ralph('status')).stdout).toMatch(/^Continue it with: ralph runs resume \S+$/m);
  });

  it('that comes back again and again uses up --max-limit-wait in the end', async () => {
    await using stage = await openStage([limited(0)]);
    const run = await stage.run('--max-limit-wait', '5s');

    expect(run.code).toBe(1);
    expect(run.result).toMatchObject({ stop_reason: 'rate_limited', iterations: 1 });
    // Pauses of at least 1, 2 and 4 seconds: the third is more than is left.
    expect(stage.calls().length).toBeGreaterThanOrEqual(2);
    expect(stage.calls().length).toBeLessThanOrEqual(3);
    expect(stage.after()).toMatchObject({ commits: 1, changed: [], processes: [] });
  });

  it('can be interrupted at once', async () => {
    await using stage = await openStage([limited(HOUR)]);
    const running = stage.start();
    await until('it waits', () => running.stderr().includes('waiting until'));
    running.child.kill('SIGINT');
    const run = await endOf(running);

    expect(run.code).toBe(130);
    expect(run.result).toMatchObject({ stop_reason: 'interrupted', done: false, iterations: 1, attempts: 1 });
    expect(run.ms).toBeLessThan(20_000);
    expect(stage.after()).toEqual({ calls: 1, commits: 1, changed: [], processes: [] });
  });
});

function resetsIn(run: EndedRun): readonly number[] {
  return journalOf(run).flatMap(({ type, resets_at }) => (type === 'limit.seen' ? [resets_at as number] : []));
}
