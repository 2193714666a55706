import type { Runner } from '../deciders/tools/tool.ts';
import { breakSources, isChecker } from './broken-sources.ts';
import { plantInJavascript } from './javascript.ts';
import { plantInBats, plantInGo, plantInJava, plantInPhpunit, plantInRspec, plantInRust } from './other-languages.ts';
import { sharedNames, withOtherNames } from './other-names.ts';
import { otherPlaces } from './other-places.ts';
import { type Bed, baseName, type Plant, type Planter, splitWord } from './plant.ts';
import { probesIn, type Wanted, wantedIn } from './probes.ts';
import { plantInPython } from './python.ts';

interface Family {
  readonly runners: readonly Runner[];
  readonly files: RegExp;
  readonly plant: Planter;
}

const FAMILIES: readonly Family[] = [
  {
    runners: ['node-test', 'vitest', 'jest', 'mocha', 'ava', 'node', 'bun-test', 'deno-test', 'playwright'],
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

/** Why nothing can be planted for these runners, in words that follow the gate's name. */
export function whyNothingIsPlanted(runners: readonly string[], hasTests: boolean): string {
  const runsTests = (runner: string) => FAMILIES.some((family) => (family.runners as readonly string[]).includes(runner));
  const known = runners.filter((runner) => runsTests(runner) || isChecker(runner));
  if (known.length === 0) return `runs ${runners.join(', ')}, for which Ralph cannot plant failures`;
  if (hasTests) return 'runs tests in which Ralph cannot plant failures';
  return known.some(runsTests) ? 'has no test file yet that a failure could be planted in' : 'has no source yet that Ralph could break';
}

/** Runners that only care about what a test does. A linter, a formatter or a compiler in the same gate would reject a probe and stop. */
const CAREFREE: ReadonlySet<string> = new Set<Runner>(['node-test', 'vitest', 'jest', 'mocha', 'ava', 'node', 'bun-test', 'pytest', 'unittest', 'python']);

const canProbe = ({ path, runners }: Pick<Bed, 'path' | 'runners'>) => /\.(?:[cm]?[jt]sx?|py)$/.test(path) && runners.every((runner) => CAREFREE.has(runner));

interface Planting {
  readonly wanted: Wanted;
  /** The names of tests that several files use, if the planted files get other names and lines; null if they keep theirs. */
  readonly shared: ReadonlySet<string> | null;
}

function plantIn({ plant }: Family, bed: Bed, { wanted, shared }: Planting): Plant | null {
  const probed = canProbe(bed) ? probesIn(bed, { wanted, hidesLiterals: shared !== null }) : null;
  const planted = plant(probed === null ? bed : { ...bed, text: probed.text });
  if (planted === null) return null;
  const renamed = shared === null ? null : withOtherNames({ ...planted, original: bed.text }, shared);
  return { ...planted, ...(probed !== null && { probes: probed.probes }), ...(renamed !== null && { text: renamed, isRenamed: true }) };
}

/** The same files with other names, lines and places, also of the expected literals, and nothing else: whatever was green stays green. */
export function renamedAlone(beds: readonly Bed[], paths: readonly string[]): readonly Plant[] {
  const shared = sharedNames(beds.map(({ text }) => text));
  const renamed = beds.flatMap((bed): readonly Plant[] => {
    const hidden = canProbe(bed) ? probesIn(bed, { hidesLiterals: true, probesNothing: true }) : null;
    const text = withOtherNames({ path: bed.path, text: hidden?.text ?? bed.text, original: bed.text }, shared);
    return text === null ? [] : [{ path: bed.path, text, tokens: [], cases: 0, isRenamed: true }];
  });
  return inOtherPlaces(renamed, beds, paths);
}

function inOtherPlaces(plants: readonly Plant[], beds: readonly Bed[], paths: readonly string[]): readonly Plant[] {
  const renamed = beds.filter((bed) => plants.some(({ path, isRenamed }) => isRenamed && path === bed.path));
  const places = otherPlaces(renamed, { paths, token: beds[0]?.token ?? String });
  return plants.map((plant) => ({ ...plant, ...(places.has(plant.path) && { at: places.get(plant.path) ?? '' }) }));
}

/** The same files with only their probes: nothing in them fails. */
export function probesAlone(beds: readonly Bed[]): readonly Plant[] {
  const able = beds.filter(canProbe);
  const wanted = wantedIn(able);
  return able.flatMap((bed) => {
    const probed = probesIn(bed, { wanted });
    return probed === null ? [] : [{ path: bed.path, text: probed.text, tokens: [], cases: 0, probes: probed.probes }];
  });
}

const CASE = /(\bralph[a-z0-9]{12})\('ralph canary /g;
const CLASS = /^class Ralph\w{4}\((ralph_[a-z0-9]{12})\.TestCase\):$/m;

/** The same plant with its cases skipped: whoever looks for a plant finds it, and no test is red or counted because of it. Null if it has no such cases. */
export function skippedPlant(plant: Plant): Plant | null {
  const text = plant.path.endsWith('.py')
    ? plant.text.replace(CLASS, (line, unittest: string) => `@${unittest}.skip('')\n${line}`)
    : plant.text.replace(CASE, (start, name: string) => start.replace(name, `(${name}.skip ?? ${name}.ignore ?? (() => undefined))`));
  return text === plant.text ? null : { ...plant, text };
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
  /** Which of the sources are configuration and stay as they are. */
  readonly decides?: (path: string) => 'configuration' | 'test' | null;
  /** All files of the tree, if the planted tests also get other names, lines and places. */
  readonly renamesAmong?: readonly string[];
}): Promise<readonly Plant[]> {
  const beds: { readonly family: Family; readonly bed: Bed }[] = [];
  const inSources = request.sources.filter((path) => path.endsWith('.rs'));
  for (const path of new Set([...request.tests, ...inSources])) {
    const family = FAMILIES.find(({ files, runners }) => files.test(path) && runners.some((runner) => request.runners.includes(runner)));
    const text = family === undefined ? null : await request.read(path);
    if (text !== null && family !== undefined) beds.push({ family, bed: { path, text, runners: request.runners, token: request.token } });
  }
  const wanted = wantedIn(beds.map(({ bed }) => bed).filter(canProbe));
  const { renamesAmong } = request;
  const shared = renamesAmong ? sharedNames(beds.map(({ bed }) => bed.text)) : null;
  const planted = beds.map(({ family, bed }) => plantIn(family, bed, { wanted, shared })).filter((plant) => plant !== null);
  const plants = renamesAmong
    ? [
        ...inOtherPlaces(
          planted,
          beds.map(({ bed }) => bed),
          renamesAmong,
        ),
      ]
    : planted;
  plants.push(...(await snapshotPlants(plants, request)));
  return plants.length > 0 ? plants : breakSources(request);
}

const STORED = /^(exports\[`(?:[^`\\]|\\.)*`\] = )`(?:[^`\\]|\\.)*`;/gm;

/** The path where jest and vitest keep the snapshots of a test file. */
export function snapshotsOf(path: string): string {
  const folder = path.slice(0, path.length - baseName(path).length);
  return `${folder}__snapshots__/${baseName(path)}.snap`;
}

/** The snapshots, each with another text, which is assembled only when they are read. Null if there are none. */
export function alterSnapshots({ path, text, token }: { readonly path: string; readonly text: string; readonly token: () => string }): Plant | null {
  const word = splitWord(token());
  const altered = text.replace(STORED, (_, name: string) => `${name}['${word.first}', '${word.second}'].join('');`);
  return altered === text ? null : { path, text: altered, tokens: [word.whole], cases: 0 };
}
