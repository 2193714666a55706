/** The project the demo starts from: a small module with four tests, of which three fail. */
export const SOURCE = 'src/duration.js';
export const TESTS = 'test/duration.test.js';

export const projectFiles: Readonly<Record<string, string>> = {
  'package.json': `{
  "name": "duration",
  "private": true,
  "type": "module",
  "scripts": { "test": "node --test" }
}
`,
  [SOURCE]: `/** How many seconds a text such as "90s", "5m" or "1h30m" stands for. */
export function parseDuration(text) {
  const [, amount] = /^(\\d+)s$/.exec(text) ?? [];
  return Number(amount);
}
`,
  [TESTS]: `import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseDuration } from '../src/duration.js';

test('reads seconds', () => {
  assert.equal(parseDuration('90s'), 90);
});

test('reads minutes and hours', () => {
  assert.equal(parseDuration('5m'), 300);
  assert.equal(parseDuration('2h'), 7200);
});

test('adds the parts of 1h30m', () => {
  assert.equal(parseDuration('1h30m'), 5400);
});

test('refuses what is not a duration', () => {
  assert.throws(() => parseDuration('soon'));
});
`,
};
