import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type HostileStage, openHostileStage } from './hostile-stage.ts';

/** In the drivers and in the list: whoever has one of these has seen what is sealed. */
export const MARKS = { driver: 'MARKOFTHEDRIVER', list: 'MARKOFTHELIST' };

/** A small product with a visible test that knows one case, and sealed checks beside the repository that know more. */
export interface SealedStage extends HostileStage {
  readonly sealed: string;
}

const answer = readFileSync(new URL('../../templates/sealed/js/answer.mjs', import.meta.url), 'utf8');
const driver = `// ${MARKS.driver}\nimport { add } from '../add.js';\nimport { answer } from './answer.mjs';\nawait answer(([a, b]) => add(a, b));\n`;
const checks = [
  [[1, 2], 3],
  [[5, -5], 0],
  [[20, 22], 42],
].map(([input, expect]) => ({ driver: 'node ralph-sealed/add.mjs', input, expect, tasks: [MARKS.list, 'T1'] }));

const FILES = {
  '.gitignore': 'kept/\n',
  'package.json': '{"type":"module"}\n',
  'add.js': 'export const add = () => 0;\n',
  'add.test.js':
    "import assert from 'node:assert';\nimport test from 'node:test';\nimport { add } from './add.js';\ntest('adds', () => assert.ok(add(1, 1) == 2));\n",
};

export interface SealedProps {
  readonly list?: object;
  readonly files?: Readonly<Record<string, string>>;
  readonly driver?: string;
}

export async function openSealedStage({ list = {}, files = {}, driver: own = driver }: SealedProps = {}): Promise<SealedStage> {
  const stage = await openHostileStage({ files: { ...FILES, ...files } });
  const sealed = join(stage.repo.beside, 'acceptance');
  const put = (name: string, text: string) => {
    mkdirSync(dirname(join(sealed, name)), { recursive: true });
    writeFileSync(join(sealed, name), text);
  };
  put('sealed.json', JSON.stringify({ checks, ...list }));
  put('add.mjs', own);
  put('answer.mjs', answer);
  return { ...stage, sealed };
}

/** An agent that makes a file of its own the product, and says that it is done. */
export const writes = (file: string) => ['--agent', `sh -c 'cat >/dev/null; cp ${file} add.js; echo COMPLETE'`];
