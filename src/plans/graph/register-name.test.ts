import { expect, it } from 'vitest';
import { registerName } from './standing.ts';

it('the name of a register contains the plan and the task', () =>
  expect(registerName('docs/task-graph.yaml', 'T-001-01')).toBe('task/docs/task-graph.yaml/T-001-01'));

it('no two pairs of plan and task share a register', () => {
  expect(registerName('a', 'b/c')).not.toBe(registerName('a/b', 'c'));
  expect(registerName('a', 'b/c')).not.toBe(registerName('a', 'b%2Fc'));
});
