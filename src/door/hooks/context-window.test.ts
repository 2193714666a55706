import { expect, it } from 'vitest';
import { contextWindow } from './context-alert.ts';

const nothing = { said: undefined, models: [null], counted: null };

it.each([
  ['nothing', nothing, 200_000],
  ['what the operator says', { ...nothing, said: '500000', models: ['x[1m]'] }, 500_000],
  ['the name of a large model', { ...nothing, models: [null, undefined, 'claude-sonnet-4-5[1M]'] }, 1_000_000],
  ['the name of any other', { ...nothing, models: ['claude-opus-4-1m'] }, 200_000],
  ['a request that was larger than that', { ...nothing, counted: 250_000 }, 1_000_000],
  ...['', ' ', 'many', '0', '-1', 'NaN', 'Infinity'].map((said) => [`nonsense: "${said}"`, { ...nothing, said }, 200_000] as const),
] as const)('the context window is determined by %s', (_what, known, window) => {
  expect(contextWindow(known)).toBe(window);
});
