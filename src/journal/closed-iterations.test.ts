import { describe, expect, it } from 'vitest';
import { redStreak, streakText } from './closed-iterations.ts';

/** One letter an iteration: red, green, or abandoned. */
const closed = (course: string) =>
  [...course].map((letter, index) => ({
    result: ({ a: 'abandoned', g: 'green' } as const)[letter] ?? ('red' as const),
    entry: {
      iteration: index + 1,
      passed: letter === 'g',
      steps: 0,
      costUsd: null,
      durationMs: 0,
      checks: letter === 'a' ? [] : [{ command: 'make', green: letter === 'g', flaky: false, line: '' }],
      error: null,
      restored: [],
    },
  }));

describe('how long a check was red', () => {
  it.each([
    ['', 0],
    ['r', 1],
    ['rrr', 3],
    ['rgrr', 2],
    ['rrg', 0],
    ['rara', 2],
  ])('is counted from the end: %s gives %i', (course, iterations) => {
    expect(redStreak(closed(course), 'make')).toBe(iterations);
  });

  it('is said in words', () => {
    expect([1, 3].map(streakText)).toEqual(['in the last iteration', 'in the last 3 iterations']);
  });
});
