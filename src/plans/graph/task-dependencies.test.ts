import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { dependencyProblem, normalizeDependencies } from './task-dependencies.ts';

const problem = (task: string, needs: Readonly<Record<string, readonly string[]>>) => dependencyProblem(task, new Map(Object.entries(needs)));

describe('the requested dependencies of a task', () => {
  it('are each named once, without blanks, in the order of their first mention', () => {
    expect(normalizeDependencies([' task-a ', 'task-b, task-c', 'task-a', 'task-c', ''])).toEqual(['task-a', 'task-b', 'task-c']);
  });

  it('may be empty', () => {
    expect(normalizeDependencies([])).toEqual([]);
    expect(normalizeDependencies([' ', ',,', ''])).toEqual([]);
  });
});

describe('a task that could never begin', () => {
  it('depends on itself', () => expect(problem('a', { a: ['b', 'a'] })).toBe('task a cannot depend on itself'));

  it('depends on one that depends on it', () => expect(problem('a', { a: ['b'], b: ['a'] })).toBe('dependency cycle detected: a -> b -> a'));

  it('depends on it through others', () => {
    expect(problem('a', { a: ['x', 'b'], b: ['c'], c: ['x', 'a'] })).toBe('dependency cycle detected: a -> b -> c -> a');
  });

  it('depends on others in a cycle, and the cycle is shown without it', () => {
    expect(problem('a', { a: ['b'], b: ['c'], c: ['b'] })).toBe('dependency cycle detected: b -> c -> b');
    expect(problem('a', { a: ['b'], b: ['b'] })).toBe('dependency cycle detected: b -> b');
  });
});

describe('a task that can begin', () => {
  it('may be unknown', () => expect(problem('a', {})).toBeNull());

  it('may depend on one task in several ways', () => expect(problem('a', { a: ['b', 'c'], b: ['d'], c: ['d'], d: [] })).toBeNull());

  it('is not affected by a cycle it does not depend on', () => expect(problem('a', { a: ['b'], x: ['y'], y: ['x', 'a'] })).toBeNull());

  it('may be at the end of a chain of any length', () => {
    const needs = new Map(Array.from({ length: 5_000 }, (_, n) => [`t${n}`, [`t${n + 1}`]]));
    expect(dependencyProblem('t0', needs)).toBeNull();
  });

  it('is recognised at once, however many paths there are', () => {
    const needs = new Map(Array.from({ length: 60 }, (_, n) => [`t${n}`, [`t${n + 1}`, `t${n + 2}`]]));
    expect(dependencyProblem('t0', needs)).toBeNull();
  });

  it('is every task whose dependencies all have higher numbers', () => {
    const numbers = fc.array(fc.array(fc.integer({ min: 1, max: 9 }), { maxLength: 4 }), { maxLength: 30 });
    fc.assert(
      fc.property(numbers, (steps) => {
        const needs = new Map(steps.map((further, n) => [`${n}`, further.map((by) => `${n + by}`)]));
        expect(dependencyProblem('0', needs)).toBeNull();
      }),
      { seed: 42, numRuns: 1000 },
    );
  });
});
