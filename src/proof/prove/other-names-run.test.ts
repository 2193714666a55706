import { expect, it } from 'vitest';
import type { GateResult } from '../../journal/events/gates.ts';
import type { GateSpec } from '../../settings/schema/run-settings.ts';
import type { GateSight } from '../deciders/look-at-gate.ts';
import { lifeOf } from './life.ts';
import type { ProofCopy } from './proof-copy.ts';

it.each([
  ['looks at the name of its test: it is named', true, ['tests/a.rs', 'tests/b.rs'], 3],
  ['does not, which costs one more run', false, undefined, 2],
])('cargo stops at the first red program, so other names are asked with nothing planted, and a source %s', async (_, looks, named, runs) => {
  const texts = new Map(['tests/a.rs', 'tests/b.rs'].map((path) => [path, '#[test]\nfn adds() {}\n']));
  const now = new Map(texts);
  let ran = 0;
  const copy = {
    ...{ files: texts, paths: [...texts.keys()], read: async (path: string) => texts.get(path) ?? null },
    write: (path: string, text: string) => void now.set(path, text),
    restore: async (paths: readonly string[]) => {
      for (const path of paths) now.set(path, texts.get(path) ?? '');
    },
    runPlanted: async () => {
      ran += 1;
      const all = [...now.values()].join('');
      const tokens = [...all.matchAll(/"(\w{6})", "(\w{6})"/g)].map(([, one, two]) => `${one}${two}`);
      const green = tokens.length === 0 && !(looks && all.includes('fn ralph_'));
      return { green, ending: { kind: 'exited', code: green ? 0 : 101 }, duration_ms: 1, output: tokens.join('\n') } as unknown as GateResult;
    },
  } as unknown as ProofCopy;
  const start = { command: 'cargo test', state: 'living' as const, files: [...texts.keys()], why: '' };
  const cargo = {
    runners: ['cargo-test'],
    tests: start.files,
    specs: [],
    compared: [],
    choosesTests: false,
    checked: { named: [], folders: [''] },
  } as unknown as GateSight;
  const life = await lifeOf({ gate: { command: 'cargo test' } as GateSpec, copy, sight: cargo, before: start }, new AbortController().signal);
  expect(life).toMatchObject({ state: 'living', ...(named && { named }) });
  expect([life.named === undefined, ran]).toEqual([!looks, runs]);
});
