import type { Runner } from '../deciders/tools/tool.ts';
import { breakSources } from './broken-source.ts';
import { plantInBats, plantInJava, plantInPhpunit, plantInRspec } from './class-and-block.ts';
import { plantInGo } from './go.ts';
import { plantInJavascript } from './javascript.ts';
import type { Bed, Plant, Planter } from './plant.ts';
import { probesIn, type Wanted, wantedIn } from './probes.ts';
import { plantInPython } from './python.ts';
import { plantInRust } from './rust.ts';
import { alterSnapshots, snapshotsOf } from './snapshots.ts';

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

/** Runners that only care about what a test does. A linter, a formatter or a compiler in the same gate would reject a probe and stop. */
const CAREFREE: ReadonlySet<string> = new Set<Runner>(['node-test', 'vitest', 'jest', 'mocha', 'ava', 'node', 'bun-test', 'pytest', 'unittest', 'python']);

const canProbe = ({ path, runners }: Pick<Bed, 'path' | 'runners'>) => /\.(?:[cm]?[jt]sx?|py)$/.test(path) && runners.every((runner) => CAREFREE.has(runner));

function plantIn({ plant }: Family, bed: Bed, wanted: Wanted): Plant | null {
  const probed = canProbe(bed) ? probesIn(bed, wanted) : null;
  const planted = plant(probed === null ? bed : { ...bed, text: probed.text });
  return planted === null || probed === null ? planted : { ...planted, probes: probed.probes };
}

/** The same files with only their probes: nothing in them fails. */
export function probesAlone(beds: readonly Bed[]): readonly Plant[] {
  const able = beds.filter(canProbe);
  const wanted = wantedIn(able);
  return able.flatMap((bed) => {
    const probed = probesIn(bed, wanted);
    return probed === null ? [] : [{ path: bed.path, text: probed.text, tokens: [], cases: 0, probes: probed.probes }];
  });
}

/** A snapshot matcher cannot be probed, so the stored snapshots are altered instead. */
async function snapshotPlants(
  plants: readonly Plant[],
  { runners, read, token }: { readonly runners: readonly string[]; readonly read: (path: string) => Promise<string | null>; readonly token: () => string },
): Promise<readonly Plant[]> {
  if (!runners.every((runner) => CAREFREE.has(runner)) || !(runners.includes('jest') || runners.includes('vitest'))) return [];
  const altered: Plant[] = [];
  for (const path of plants.map((plant) => snapshotsOf(plant.path))) {
    const text = await read(path);
    const plant = text === null ? null : alterSnapshots({ path, text, token });
    if (plant !== null) altered.push(plant);
  }
  return altered;
}

/**
 * Plants for the files that these runners run; none for a file in which nothing can be planted. If there are tests to plant in, no source is broken, because
 * a checker would stop the gate before its tests. To test the checkers of such a gate, call this again with only them.
 */
export async function plantsFor(request: {
  readonly runners: readonly string[];
  readonly tests: readonly string[];
  /** Files to break for runners that only check; in Rust they contain tests, too. */
  readonly sources: readonly string[];
  readonly read: (path: string) => Promise<string | null>;
  /** Returns a fresh random word of 12 lower-case letters and digits. */
  readonly token: () => string;
}): Promise<readonly Plant[]> {
  const beds: { readonly family: Family; readonly bed: Bed }[] = [];
  const inSources = request.sources.filter((path) => path.endsWith('.rs'));
  for (const path of new Set([...request.tests, ...inSources])) {
    const family = FAMILIES.find(({ files, runners }) => files.test(path) && runners.some((runner) => request.runners.includes(runner)));
    const text = family === undefined ? null : await request.read(path);
    if (text !== null && family !== undefined) beds.push({ family, bed: { path, text, runners: request.runners, token: request.token } });
  }
  const wanted = wantedIn(beds.map(({ bed }) => bed).filter(canProbe));
  const plants = beds.map(({ family, bed }) => plantIn(family, bed, wanted)).filter((plant) => plant !== null);
  plants.push(...(await snapshotPlants(plants, request)));
  return plants.length > 0 ? plants : breakSources(request);
}
