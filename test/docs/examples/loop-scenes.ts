import { bash, ends, turn } from '../../support/claude-script.ts';
import type { Scene } from './scene.ts';

const completes = (text: string) => ends(`${text}\n\nCOMPLETE`);

const slugs = {
  'package.json': '{ "name": "slug", "type": "module", "scripts": { "test": "node --test" } }\n',
  'src/slug.js': 'export const slug = (title) => title;\n',
  'test/slug.test.js': [
    "import assert from 'node:assert';",
    "import test from 'node:test';",
    "import { slug } from '../src/slug.js';",
    '',
    "test('lower case', () => assert.equal(slug('Ralph'), 'ralph'));",
    "test('blanks become dashes', () => assert.equal(slug('hello world'), 'hello-world'));",
    '',
  ].join('\n'),
};

const writes = (code: string) => bash(`cat > src/slug.js <<'END'\n${code}\nEND`);
const lowers = writes('export const slug = (title) => title.toLowerCase();');
const fixes = writes("export const slug = (title) => title.toLowerCase().replaceAll(' ', '-');");

const halfThenWhole = [turn(lowers, ...completes('Lower case works.')), turn(fixes, ...completes('Blanks become dashes now.'))];
const atOnce = [turn(fixes, ...completes('Blanks become dashes now.'))];
const thenHonest = turn(fixes, ...completes('I have changed the code instead.'));

/** What the pages about `ralph loop` are played in. */
export const loopScenes: Readonly<Record<string, Scene>> = {
  'a red test': { files: slugs, turns: halfThenWhole },
  'a red test, mended at once': { files: slugs, turns: atOnce },
  'an agent that never gets there': { files: slugs, turns: [turn(lowers, ...ends('Not there yet.'))] },
  'an agent that removes the test': { files: slugs, turns: [turn(bash('rm test/slug.test.js'), ...completes('All green.')), thenHonest] },
  'an agent that ends the process early': {
    files: slugs,
    turns: [turn(bash("sed -i '1i process.exit(0);' src/slug.js"), ...completes('All green.')), thenHonest],
  },
  'a bug that no test shows': {
    files: {
      ...slugs,
      'src/slug.js': "export const slug = (title) => title.toLowerCase().replace(' ', '-');\n",
      'repro.mjs': "import { slug } from './src/slug.js';\nprocess.exit(slug('a b c') === 'a-b-c' ? 0 : 1);\n",
    },
    turns: [turn(...completes('I could not find anything wrong.')), turn(fixes, ...completes('It took only the first blank.'))],
  },
  'a secret beside the code': {
    files: { ...slugs, '.gitignore': '.env\nnode_modules/\n' },
    prepare: 'echo TOKEN=secret > .env && mkdir node_modules && echo "my own idea" > idea.txt',
    turns: halfThenWhole,
  },
};
