import { describe, expect, it } from 'vitest';
import { didYouMean } from './did-you-mean.ts';

const settings = ['maximumIterations', 'completionResponse', 'guardrails', 'agent', 'scm', 'hint', 'hints'];

describe('didYouMean', () => {
  it.each([
    ['maximumIteration', 'maximumIterations'],
    ['maxIterations', 'maximumIterations'],
    ['completionresponse', 'completionResponse'],
    ['guardrials', 'guardrails'],
    ['gaurdrail', 'guardrails'],
    ['agnet', 'agent'],
    ['smc', 'scm'],
    ['hint', 'hint'],
    ['hins', 'hint'],
  ])('for %s is %s', (word, meant) => {
    expect(didYouMean(word, settings)).toBe(meant);
  });

  it.each(['', 'x', 'colour', 'guard', 'entirelyDifferent', 'x'.repeat(10_000)])('for %s is nothing', (word) => {
    expect(didYouMean(word, settings)).toBeNull();
  });

  it('returns null for an empty list', () => {
    expect(didYouMean('agent', [])).toBeNull();
  });
});
