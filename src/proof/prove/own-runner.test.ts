import { describe, expect, it } from 'vitest';
import { textTree } from '../../../test/support/text-tree.ts';
import type { GateResult } from '../../journal/events/gates.ts';
import type { GateLife } from '../../journal/words/proof.ts';
import type { GateSpec } from '../../settings/schema/run-settings.ts';
import { lookAtGate } from '../deciders/look-at-gate.ts';
import { lifeOf } from './life.ts';
import type { ProofCopy } from './proof-copy.ts';

const gate = { command: 'node test/run.js' } as GateSpec;
const spec = (name: string) => `import assert from 'node:assert';\nimport { ${name} } from '../src/${name}.js';\nassert.equal(${name}(), 1);\n`;
const FILES = {
  'test/run.js': "import { readdirSync } from 'node:fs';\nfor (const name of readdirSync('test')) await import(name);\n",
  'test/help.js': 'export const assertAll = () => undefined;\n',
  'test/a.spec.js': `import './help.js';\n${spec('a')}`,
  'test/b.spec.js': spec('b'),
  'test/c.spec.js': spec('c'),
  'test/d.spec.js': spec('d'),
};
const SPECS = ['test/a.spec.js', 'test/b.spec.js', 'test/c.spec.js', 'test/d.spec.js'];

interface Runner {
  /** These fail by themselves. */
  readonly red?: readonly string[];
  readonly hidden?: readonly string[];
  /** The exit code of these is lost. */
  readonly lost?: readonly string[];
  /** Prints only the output of a failing file. */
  readonly isQuiet?: boolean;
}

/** Runs the specs, then its own end, and stops at the first failure. */
function copyWith({ red = [], hidden = [], lost = [], isQuiet = false }: Runner) {
  const texts = new Map<string, string>(Object.entries(FILES));
  let runs = 0;
  const runOne = (path: string) => {
    const text = texts.get(path) ?? '';
    const words = [...text.matchAll(/\['(\w{6})', '(\w{6})'\]/g)].map(([, one, two]) => `${one}${two}`).join(' ');
    if (red.includes(path) && text.includes('assert.equal')) return { output: 'AssertionError', fails: true };
    return { output: words, fails: text.includes('throw new Error') };
  };
  const copy = {
    files: new Map(Object.keys(FILES).map((path) => [path, {}])),
    paths: Object.keys(FILES),
    read: async (path: keyof typeof FILES) => FILES[path],
    write: (path: string, text: string) => void texts.set(path, text),
    restore: async (paths: readonly (keyof typeof FILES)[]) => {
      for (const path of paths) texts.set(path, FILES[path]);
    },
    runPlanted: async () => {
      runs += 1;
      let output = '';
      for (const path of [...SPECS.filter((each) => !hidden.includes(each)), 'test/run.js']) {
        const one = runOne(path);
        if (!isQuiet || one.fails) output += `${one.output}\n`;
        if (one.fails && !lost.includes(path)) return { green: false, ending: { kind: 'exited', code: 1 }, output } as unknown as GateResult;
      }
      return { green: true, ending: { kind: 'exited', code: 0 }, output } as unknown as GateResult;
    },
  };
  return { copy: copy as unknown as ProofCopy, runs: () => runs };
}

const look = async (runner: Runner, before: GateLife | null = null) => {
  const { copy, runs } = copyWith(runner);
  const sight = await lookAtGate(gate.command, '', textTree(FILES));
  return { ...(await lifeOf({ gate, copy, sight, before }, new AbortController().signal)), runs: runs() };
};
const files = (paths: readonly string[]) => expect.objectContaining({ state: 'living', files: expect.arrayContaining([...paths]) });

describe("a project's own runner that stops at the first failure", () => {
  it('shows all of its specs at the start, even behind one that is red by itself, and no helper', async () => {
    expect(await look({})).toEqual(files([...SPECS, 'test/run.js']));
    const { files: found, runs } = await look({ red: ['test/b.spec.js'] });
    expect([...found].sort()).toEqual([...SPECS, 'test/run.js']);
    expect(runs).toBeLessThanOrEqual(3);
  });

  it('shows what it can if it prints nothing for green specs, and is not blamed for the rest', async () => {
    const before = await look({ isQuiet: true });
    expect(before).toMatchObject({ state: 'living' });
    expect(await look({ isQuiet: true }, before)).toMatchObject({ state: 'living' });
  });

  it('shows them again at a claim, in a few runs', async () => {
    const before = await look({ red: ['test/b.spec.js'] });
    const after = await look({}, before);
    expect(after).toEqual(files(SPECS));
    expect(after.runs).toBeLessThanOrEqual(6);
  });

  it('is dead if the sources hide any spec from it', async () => {
    const before = await look({ red: ['test/b.spec.js'] });
    for (const path of SPECS) {
      expect(await look({ hidden: [path] }, before)).toMatchObject({ state: 'dead', why: expect.stringContaining(path) });
    }
  });

  it('is dead if a spec fails and it stays green', async () => {
    const before = await look({ red: ['test/b.spec.js'] });
    expect(await look({ lost: ['test/b.spec.js'] }, before)).toMatchObject({ state: 'dead', why: 'stays green with failures planted in test/b.spec.js' });
  });
});
