import { expect, it } from 'vitest';
import { until } from '../../../../test/support/until.ts';
import type { Supervision } from '../../../engine/ports/ports.ts';
import { emptyState } from '../../../journal/state/state.ts';
import { watchTask } from './task-folder-watcher.ts';

const DAY_MS = 86_400_000;

/** Counts the looks. */
function watchEvery(pollMs: number) {
  let looks = 0;
  const task: Supervision['task'] = {
    async done() {
      looks += 1;
      return { kind: 'absent' };
    },
    waitMarker: async () => null,
    refuseDone: async () => null,
    blockedBy: async () => [],
  };
  const nobody = () => Promise.reject(new Error('nobody asks'));
  const children: Supervision['children'] = { active: async () => [], start: nobody, find: nobody, end: nobody };
  const watching = watchTask({ supervision: { task, children }, pollMs, waits: false })(
    async () => true,
    () => emptyState,
  );
  return { looks: () => looks, [Symbol.asyncDispose]: () => watching[Symbol.asyncDispose]() };
}

it('a poll interval longer than a timer allows does not poll continuously', async () => {
  await using seldom = watchEvery(25 * DAY_MS);
  await using often = watchEvery(5);
  await until('the other was looked at', () => often.looks() > 5);
  expect(seldom.looks()).toBe(0);
});
