import { describe, expect, it } from 'vitest';
import { type PassOf, passOf } from '../../../../test/support/text-tree.ts';

const test = `import { expect, it } from 'vitest';
import { add, sub } from '../src/math.js';
import { check } from './helper.js';

it('add', () => {
  // add is tried
  expect(add(1, 2)).toBe(3);
  check(sub(2, 1));
});
`;
const base = {
  'package.json': JSON.stringify({ scripts: { test: 'vitest run' } }),
  'src/math.js': 'export const add = (a, b) => a + b;\nexport const sub = (a, b) => a - b;\nexport const equal = 1;\n',
  'test/helper.js': 'export const check = (x) => { if (!x) throw Error(); };\n',
  'test/math.test.js': test,
};
const isSame = async (claimed: PassOf['claimed']) => (await passOf({ command: 'npm test', base, claimed })).changed.length === 0;
const renamed = base['src/math.js'].replace('add', 'plus');

describe('an old test is the same', () => {
  it.each<[string, PassOf['claimed']]>([
    ['when a function has another name, in texts too or not', { 'src/math.js': renamed, 'test/math.test.js': test.replaceAll('add', 'plus') }],
    ['when only the calls have the new name', { 'src/math.js': renamed, 'test/math.test.js': test.replace('{ add,', '{ plus,').replace('(add(', '(plus(') }],
    ['when its module moved', { 'src/math.js': null, 'src/deep/math.js': base['src/math.js'], 'test/math.test.js': test.replace('src/math', 'src/deep/math') }],
    [
      'when its module was split',
      {
        'src/math.js': 'export const sub = (a, b) => a - b;\n',
        'src/add.js': 'export const add = (a, b) => a + b;\n',
        'test/math.test.js': test.replace("{ add, sub } from '../src/math.js'", "{ add } from '../src/add.js';\nimport { sub } from '../src/math.js'"),
      },
    ],
    ['when its line ends differ', { 'test/math.test.js': test.replaceAll('\n', '\r\n') }],
    ['when its imports are in another order', { 'test/math.test.js': test.replace('{ add, sub }', '{ sub, add }') }],
    [
      'when it moved with its helper',
      {
        'test/math.test.js': null,
        'test/helper.js': null,
        'test/unit/math.test.js': test.replace('../src', '../../src'),
        'test/unit/helper.js': base['test/helper.js'],
      },
    ],
  ])('%s', async (_name, claimed) => {
    expect(await isSame(claimed)).toBe(true);
  });
});

describe('an old test is another one', () => {
  it.each<[string, PassOf['claimed']]>([
    ['when a name changes that no source gave up', { 'test/math.test.js': test.replaceAll('add', 'plus') }],
    [
      'when it asserts by another name, whatever the sources say',
      { 'src/math.js': base['src/math.js'].replace('equal', 'toBeTruthy').concat('// toBe\n'), 'test/math.test.js': test.replace('toBe(', 'toBeTruthy(') },
    ],
    [
      'when two names become one',
      { 'src/math.js': 'export const plus = () => 3;\n', 'test/math.test.js': test.replaceAll('add', 'plus').replaceAll('sub', 'plus') },
    ],
    ['when a name changes at one place only', { 'src/math.js': `${renamed}`, 'test/math.test.js': test.replace('(add(', '(plus(') }],
    ['when its helper is another', { 'test/lenient.js': 'export const check = () => {};\n', 'test/math.test.js': test.replace('./helper.js', './lenient.js') }],
    [
      'when its helper is a source',
      { 'src/lenient.js': 'export const check = () => {};\n', 'test/helper.js': null, 'test/math.test.js': test.replace('./helper.js', '../src/lenient.js') },
    ],
    ['when its assertions come from elsewhere', { 'src/vitest.js': '', 'test/math.test.js': test.replace("'vitest'", "'../src/vitest.js'") }],
    ['when it imports one thing more', { 'src/patch.js': '', 'test/math.test.js': `import '../src/patch.js';\n${test}` }],
    ['when it imports another name as the old one', { 'test/math.test.js': test.replace('{ add, sub }', '{ sub as add, sub }') }],
    ['when the module is still there', { 'src/other.js': base['src/math.js'], 'test/math.test.js': test.replace('src/math', 'src/other') }],
    ['when a number changes', { 'test/math.test.js': test.replace('3', '4') }],
    ['when its indentation differs', { 'test/math.test.js': test.replace('  expect', '    expect') }],
    ['when a line becomes a comment', { 'test/math.test.js': test.replace('  expect', '  // expect') }],
  ])('%s', async (_name, claimed) => {
    expect(await isSame(claimed)).toBe(false);
  });
});
