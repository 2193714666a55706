import { expect, it } from 'vitest';
import { branchOf, labelOf } from './plan-folder.ts';

it.each([
  ['My Feature', 'ralph/My-Feature'],
  ['a..b', 'ralph/a.b'],
  ['-x.lock', 'ralph/x'],
  ['../../etc', 'ralph/etc'],
  ['v1.0_rc-2', 'ralph/v1.0_rc-2'],
  ['日本', 'ralph/feature'],
  ['x.lock.', 'ralph/x'],
  [`${'a'.repeat(79)}.lock`, `ralph/${'a'.repeat(79)}`],
])('the branch of a plan called %j is one that git accepts: %s', (name, branch) => {
  expect(branchOf(name)).toBe(branch);
});

it.each([
  ['My Feature', 'My-Feature'],
  ['a/b\\c', 'a-b-c'],
  ['../x', '..-x'],
  ['', 'plan'],
  ['é', '-'],
])('the label %j becomes %s in a folder name', (text, label) => {
  expect(labelOf(text)).toBe(label);
});
