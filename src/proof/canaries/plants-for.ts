import type { Runner } from '../deciders/tools/tool.ts';
import { breakSources } from './broken-source.ts';
import { plantInBats, plantInJava, plantInPhpunit, plantInRspec } from './class-and-block.ts';
import { plantInGo } from './go.ts';
import { plantInJavascript } from './javascript.ts';
import type { Plant, Planter } from './plant.ts';
import { plantInPython } from './python.ts';
import { plantInRust } from './rust.ts';

interface Family {
  readonly runners: readonly Runner[];
  readonly files: RegExp;
  readonly plant: Planter;
}

const FAMILIES: readonly Family[] = [
  {
    runners: ['node-test', 'vitest', 'jest', 'mocha', 'ava', 'node', 'bun-test', 'deno-test'],
    files: /(?<!\.d)\.[cm]?[jt]sx?$/,
    plant: plantInJavascript,
  },
  { runners: ['pytest', 'unittest', 'python'], files: /\.py$/, plant: plantInPython },
  { runners: ['go-test'], files: /_test\.go$/, plant: plantInGo },
  { runners: ['cargo-test'], files: /\.rs$/, plant: plantInRust },
  { runners: ['rspec'], files: /_spec\.rb$/, plant: plantInRspec },
  { runners: ['phpunit'], files: /Test\.php$/, plant: plantInPhpunit },
  { runners: ['maven', 'gradle'], files: /\.java$/, plant: plantInJava },
  { runners: ['bats'], files: /\.bats$/, plant: plantInBats },
];

/**
 * Plants for the files that these runners run; none for a file that nothing can be planted in. Where there are tests to plant in, no source is
 * broken: a checker would stop the gate before its tests. To see the checkers of such a gate, ask again with them alone.
 */
export async function plantsFor(wish: {
  readonly runners: readonly string[];
  readonly tests: readonly string[];
  /** Files to break for what only checks; Rust has tests in them, too. */
  readonly sources: readonly string[];
  readonly read: (path: string) => Promise<string | null>;
  /** A fresh random word of lower-case letters and digits, 12 long. */
  readonly token: () => string;
}): Promise<readonly Plant[]> {
  const plants: Plant[] = [];
  const inSources = wish.sources.filter((path) => path.endsWith('.rs'));
  for (const path of new Set([...wish.tests, ...inSources])) {
    const family = FAMILIES.find(({ files, runners }) => files.test(path) && runners.some((runner) => wish.runners.includes(runner)));
    const text = family === undefined ? null : await wish.read(path);
    const plant = text === null ? null : family?.plant({ path, text, runners: wish.runners, token: wish.token });
    if (plant) plants.push(plant);
  }
  return plants.length > 0 ? plants : breakSources(wish);
}
