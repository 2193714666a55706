import { describe, expect, it } from 'vitest';
import { given } from '../../../test/support/given.ts';
import { closed, judged, opened } from '../../../test/support/run-events.ts';
import type { EventBody } from '../../journal/events/journal-event.ts';
import { openHistory } from './run-history.ts';

const historyOf = (bodies: readonly EventBody[], kept: Parameters<typeof openHistory>[0]) => {
  const fold = openHistory(kept);
  for (const event of given(...bodies)) fold.add(event);
  return fold.history();
};

describe('the history of a run', () => {
  it('forgets old iterations, but none that is still open', () => {
    const others = [2, 3, 4, 5, 6].flatMap((iteration) => [opened(iteration, 2), closed(iteration)]);
    const numbers = (...more: readonly EventBody[]) =>
      historyOf([opened(1), ...others, ...more], { mostIterations: 3 }).iterations.map(({ iteration }) => iteration);
    expect(numbers()).toEqual([1, 4, 5, 6]);
    expect(numbers(closed(1), opened(7))).toEqual([5, 6, 7]);
  });

  it('keeps the red judgements that a view asks for, the last of them', () => {
    const gate = { command: 'npm test' } as Parameters<typeof judged>[1][number][0];
    const red = [1, 2, 3].flatMap((iteration) => [opened(iteration), judged(iteration, [[gate, 1]]), closed(iteration)]);
    const kept = (mostReds: number) => [...historyOf(red, { mostReds }).items.values()].map(({ reds }) => reds.map(({ iteration }) => iteration));
    expect([kept(0), kept(2)]).toEqual([[[]], [[2, 3]]]);
  });
});
