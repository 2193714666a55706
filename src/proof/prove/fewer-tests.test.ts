import { expect, it } from 'vitest';
import type { GateLife } from '../../journal/words/proof.ts';
import { fewerTests } from './fewer-tests.ts';

const life = (tests: number | undefined): GateLife => {
  return { command: 'npm test', state: 'living', files: ['test/a.js', 'test/b.js'], why: '', ...(tests !== undefined && { tests }) };
};
const held = (now: number | undefined, before: number | undefined, may_change: string[] = []) =>
  fewerTests([life(now)], { living: [life(before)], may_change });

it('a gate that runs fewer tests than at the start is held, with both numbers', () => {
  expect(held(4, 5)).toEqual([{ path: 'test/a.js', why: '5 tests were run at the start and 4 are run now, though no test was changed' }]);
});

it.each([
  ['the same', 5, 5],
  ['larger', 6, 5],
  ['unknown now', undefined, 5],
  ['unknown at the start', 5, undefined],
])('a claim is not held if the number of tests is %s', (_, now, before) => {
  expect(held(now, before)).toEqual([]);
});

it('a claim that may change these tests may run fewer of them', () => {
  expect(held(4, 5, ['test/**'])).toEqual([]);
});
