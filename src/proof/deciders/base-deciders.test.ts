import { describe, expect, it } from 'vitest';
import { type PassOf, passOf } from '../../../test/support/text-tree.ts';

const manifest = (more: object = {}) =>
  `${JSON.stringify({ name: 'x', type: 'module', scripts: { test: 'node --test', lint: 'eslint . && tsc' }, ...more }, null, 2)}\n`;
const test =
  "import assert from 'node:assert';\nimport { test } from 'node:test';\nimport { add } from '../src/add.js';\ntest('adds', () => assert.equal(add(1, 2), 3));\n";

const base = {
  'package.json': manifest(),
  'src/add.js': 'export const add = (a, b) => a - b;\n',
  'test/add.test.js': test,
  'test/helper.js': 'export const three = 3;\n',
  'test/data/in.txt': 'x\n',
  'README.md': '# x\n',
};
const mended = { 'src/add.js': 'export const add = (a, b) => a + b;\n' };
const npmTest = (claimed: PassOf['claimed'], more: Partial<PassOf> = {}) => passOf({ command: 'npm test', base, claimed, ...more });
const withScripts = (scripts: object) => manifest({ scripts: { test: 'node --test', lint: 'eslint . && tsc', ...scripts } });

describe('a changed decider', () => {
  it.each<[string, PassOf['claimed'], readonly (readonly [string, string])[]]>([
    ['.npmrc with another shell', { '.npmrc': 'script-shell=./fake\n' }, [['.npmrc', 'new configuration']]],
    ['.npmrc with options for node', { '.npmrc': 'node-options=--import ./x.mjs\n' }, [['.npmrc', 'new configuration']]],
    ['another script', { 'package.json': withScripts({ test: 'true' }) }, [['package.json', 'the scripts of package.json changed']]],
    ['a script that npm runs before', { 'package.json': withScripts({ pretest: 'rm -r test' }) }, [['package.json', 'package.json has a new pretest script']]],
    ['another kind of module', { 'package.json': manifest({ type: 'commonjs' }) }, [['package.json', '"type" in package.json changed']]],
    ['an edited test', { 'test/add.test.js': test.replace('3)', '-1)') }, [['test/add.test.js', 'an existing test changed']]],
    ['a skipped test', { 'test/add.test.js': test.replace("test('", "test.skip('") }, [['test/add.test.js', 'an existing test changed']]],
    ['a deleted test', { 'test/add.test.js': null }, [['test/add.test.js', 'an existing test was removed']]],
    ['a test with a name that is not run', { 'test/add.test.js': null, 'src/add.js.old': test }, [['test/add.test.js', 'an existing test was removed']]],
    ['an edited helper', { 'test/helper.js': 'export const three = -1;\n' }, [['test/helper.js', 'an existing test changed']]],
    ['an edited fixture', { 'test/data/in.txt': 'y\n' }, [['test/data/in.txt', 'a file of existing tests changed']]],
    ['a package in place of an installed one', { 'test/node_modules/chai/index.js': '' }, [['test/node_modules/chai/index.js', 'new configuration']]],
    [
      'another assertion',
      { 'test/add.test.js': test.replace("'node:assert'", "'../src/lenient.js'"), 'src/lenient.js': '' },
      [['test/add.test.js', 'an existing test changed']],
    ],
    [
      'an import for its effects',
      { 'test/add.test.js': `import '../src/patch.js';\n${test}`, 'src/patch.js': '' },
      [['test/add.test.js', 'an existing test changed']],
    ],
  ])('is reported and reverted: %s', async (_name, claimed, changed) => {
    const pass = await npmTest({ ...mended, ...claimed });
    expect(pass.changed.map(({ path, why }) => [path, why])).toEqual(changed);
    expect(pass.tree).toEqual({ ...base, ...mended, ...(claimed['src/add.js.old'] ? { 'src/add.js.old': test } : {}), ...onlySources(claimed) });
  });

  const onlySources = (claimed: PassOf['claimed']) => Object.fromEntries(Object.entries(claimed).filter(([path]) => path.startsWith('src/')));

  it('is no change if the operator allows it', async () => {
    const pass = await npmTest({ 'test/add.test.js': null, '.npmrc': 'x' }, { mayChange: (path) => path !== '.npmrc' });
    expect(pass.changed.map(({ path }) => path)).toEqual(['.npmrc']);
    expect(pass.edits).toEqual([{ path: '.npmrc', to: 'nothing' }]);
  });

  it('is reverted even if a link took the place of its folder', async () => {
    const pass = await npmTest({ 'test/add.test.js': null, 'test/helper.js': null, 'test/data/in.txt': null, test: '/elsewhere' });
    expect(pass.edits[0]).toEqual({ path: 'test', to: 'nothing' });
    expect(pass.tree).toEqual(base);
  });

  it('is reverted even if a folder took its place', async () => {
    const pass = await npmTest({ 'test/helper.js': null, 'test/helper.js/index.js': 'x' });
    expect(pass.edits[0]).toEqual({ path: 'test/helper.js/index.js', to: 'nothing' });
    expect(pass.tree).toEqual(base);
  });

  it('leaves dependencies and new scripts to the agent', async () => {
    const claimed = manifest({ scripts: { build: 'x', test: 'true', lint: 'eslint . && tsc', preview: 'vite' }, dependencies: { zod: '4' } });
    expect((await npmTest({ 'package.json': claimed })).tree['package.json']).toBe(
      manifest({ scripts: { build: 'x', test: 'node --test', lint: 'eslint . && tsc', preview: 'vite' }, dependencies: { zod: '4' } }),
    );
  });

  it('removes added tests from the base pass, because they may need what it takes away', async () => {
    const pass = await npmTest({ 'package.json': withScripts({ test: 'true' }), 'test/new.test.js': 'x', 'test/new-helper.txt': 'x' });
    expect(pass.edits.map(({ path, to }) => `${path} ${to}`)).toEqual(['package.json text', 'test/new.test.js nothing']);
  });
});

describe('honest work changes no decider:', () => {
  it.each<[string, PassOf['claimed']]>([
    ['a repair', mended],
    ['a feature with a test', { 'src/mul.js': 'x', 'test/mul.test.js': 'x' }],
    ['a helper in the folder of tests', { 'test/helpers/x.js': 'x' }],
    ['documents', { 'README.md': '# y\n', 'docs/a.md': 'x' }],
    ['a dependency', { 'package.json': manifest({ dependencies: { zod: '4' } }), 'package-lock.json': '{}' }],
    ['a new script', { 'package.json': withScripts({ build: 'tsc' }) }],
    ['a script that only sounds like a hook', { 'package.json': withScripts({ preview: 'vite' }) }],
    ['another order of keys', { 'package.json': JSON.stringify({ scripts: { lint: 'eslint . && tsc', test: 'node --test' }, type: 'module' }) }],
    ['a moved test', { 'test/add.test.js': null, 'test/unit/add.test.js': test.replace('../src', '../../src') }],
    ['a moved module', { 'src/add.js': null, 'src/math/add.js': mended['src/add.js'], 'test/add.test.js': test.replace('src/add', 'src/math/add') }],
    [
      'a renamed function',
      { 'src/add.js': 'export const plus = (a, b) => a + b;\n', 'test/add.test.js': test.replaceAll('add }', 'plus }').replace('add(1', 'plus(1') },
    ],
    ['the configuration of a tool that this gate does not start', { '.eslintrc.json': '{}', 'pytest.ini': '' }],
    ['a new package', { 'packages/a/package.json': '{"type":"commonjs"}', 'packages/a/index.js': '' }],
  ])('%s', async (_name, claimed) => {
    expect(await npmTest(claimed)).toMatchObject({ changed: [], edits: [] });
  });
});
