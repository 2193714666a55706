import { type CheckedPlaces, checkedPlaces } from './checked-places.ts';
import { followGate } from './follow/follow-gate.ts';
import type { Start, Trail } from './follow/trail.ts';
import { globs } from './globs.ts';
import { askedTestsOf, configurationOf, hasAbove, type Matches, runTestsOf } from './matchers.ts';
import { ownRunners, typeTests } from './own-runners.ts';
import { readConfigurations } from './read-configuration.ts';
import { aboveTests, folderOf, isTestPlace, isWithin, type Repository, resolvePath } from './repository.ts';
import { allTools } from './tools/all-tools.ts';
import type { Launcher, Runner, Tool } from './tools/tool.ts';

export interface GateSight {
  /** All runners that the command leads to, through package scripts, make, just, tox, nox and shell scripts; empty if unknown. */
  readonly runners: readonly Runner[];
  /** Runners and their launchers. For an unknown gate: all known tools. */
  readonly tools: readonly Tool[];
  /** Files of this repository that the runners would run as tests, by convention and by configuration that is easy to read. */
  readonly tests: readonly string[];
  /** Files that run directly, one by one: those that the gate names, and those that the project's own runner may find by itself. */
  readonly specs: readonly string[];
  /** Where its checkers look first. */
  readonly checked: CheckedPlaces;
  /** Files that it compares character by character with a program's output. */
  readonly compared: readonly string[];
  /** Whether the commands of the gate write this file. */
  isWritten(path: string): boolean;
  /** Whether a path decides if the gate is green, for any path of any tree of this project. */
  decides(path: string): 'configuration' | 'test' | null;
  /** Whether the command selects tests, by their names or by what git says has changed. */
  readonly choosesTests: boolean;
  /** Whether a runner would run this path as a test. Helpers and snapshots are deciders too, but do not run. */
  isRun(path: string): boolean;
  /** Whether the gate itself compares this file with a program's output, so that every character counts. */
  isMeasure(path: string): boolean;
}

/** Finds out what a gate's command would run, without running it. `cwd` is relative to the top, and empty for the top. */
export async function lookAtGate(command: string, cwd: string, repository: Repository): Promise<GateSight> {
  const { repository: seen, real } = throughLinks(repository);
  const sight = await lookAt(command, cwd, seen);
  if (real.size === 0) return sight;
  // The target of a link is a decider if the link is.
  const aliases = new Map<string, string[]>();
  for (const [path, meant] of real) aliases.set(meant, [...(aliases.get(meant) ?? []), path]);
  const namesOf = (path: string) => [path, ...(aliases.get(path) ?? [])];
  const unlinked = (paths: readonly string[]) => [...new Set(paths.map((path) => real.get(path) ?? path))];
  return {
    ...sight,
    ...{ tests: unlinked(sight.tests), specs: unlinked(sight.specs), compared: unlinked(sight.compared) },
    decides: (path) =>
      namesOf(path)
        .map(sight.decides)
        .find((what) => what !== null) ?? null,
    isRun: (path) => namesOf(path).some(sight.isRun),
    isMeasure: (path) => namesOf(path).some(sight.isMeasure),
  };
}

async function lookAt(command: string, cwd: string, repository: Repository): Promise<GateSight> {
  const trail = await followGate(command, cwd, repository);
  const runners = [...new Set(trail.starts.map(({ tool }) => tool.name).filter(isRunner))];
  const isUnknown = runners.length === 0 && trail.hasUnknown;
  const starts = isUnknown ? [...trail.starts, ...allTools.map((tool): Start => ({ tool, cwd, rest: [] }))] : trail.starts;
  const isConfiguration = configurationOf(starts);
  const configured = await readConfigurations(repository.paths.filter(isConfiguration), repository, trail.index);
  for (const path of configured.loads) if (!trail.named.has(path)) trail.named.set(path, 'configuration');
  const isRunByName = runTestsOf(starts, [...configured.tests, ...trail.globs.run]);
  const isRun: Matches = (path) => trail.named.get(path) === 'test' || (isRunByName(path) && !isInstalled(path));
  const measured = globs([...trail.globs.measured]);
  const isMeasure: Matches = (path) => trail.measures.has(path) || measured.test(path);
  const { folders, specs, data } = await ownRunners(trail);
  const ofTypes = await typeTests(trail);
  const isListed: Matches = (path) => data.has(path) || ofTypes.has(path) || folders.some((folder) => isWithin(path, folder));
  const decides = decider(trail, starts, { isConfiguration, isRun, isMeasure, isListed });
  const run = isUnknown ? [] : repository.paths.filter((path) => isRun(path) && decides(path) === 'test');
  const asked = run.filter(askedTestsOf(starts, { isFolder: (path) => trail.index.folders.has(path), isRun }));
  const choosesTests = configured.choosesTests || trail.choosesTests || trail.starts.some((start) => isChoosing(start, trail.starts));
  // If no test matches, a word of the command was misunderstood.
  return {
    runners,
    tools: [...new Set(starts.map(({ tool }) => tool))],
    tests: asked.length > 0 ? asked : run,
    choosesTests,
    decides,
    isRun,
    isMeasure,
    compared: [...trail.compared].filter((path) => !trail.written.has(path)),
    isWritten: (path) => trail.written.has(path),
    specs,
    checked: checkedPlaces(trail.starts, trail.index),
  };
}

/** Whether a word makes a runner run only some tests: `-k x`, `-kx`, `--grep=x`. */
const isChoice = ({ chooses = [] }: Tool, word: string) =>
  chooses.some((option) => word === option || word.startsWith(`${option}=`) || (/^-\w$/.test(option) && word.startsWith(option)));

const isName = ({ choosesByWord }: Tool, words: readonly string[], at: number) =>
  choosesByWord && !words[at]?.startsWith('-') && words[at] !== 'run' && !hasValue.test(words[at - 1] ?? '');

/** Also by a launcher that passes words on: `npm test -- -t x`, `yarn test -t x`. */
function isChoosing({ tool, rest }: Start, all: readonly Start[]): boolean {
  if (rest.some((word, at) => isChoice(tool, word) || isName(tool, rest, at))) return true;
  if (tool.name === 'pnpm' && PACKAGES_SINCE.test(rest.join(' '))) return true;
  const from = passesAll.has(tool.name) ? 0 : passesSome.has(tool.name) ? rest.indexOf('--') : -1;
  return from !== -1 && rest.slice(from + 1).some((word) => all.some((each) => isChoice(each.tool, word)));
}

/** A filter for the packages that have changed since a commit: `--filter "...[origin/main]"`. */
const PACKAGES_SINCE = /(?:^| )(?:--filter(?:-prod)?|-F)[ =]\S*\[/;

const passesAll: ReadonlySet<Runner | Launcher> = new Set<Launcher>(['yarn', 'pnpm', 'bun']);
const passesSome: ReadonlySet<Runner | Launcher> = new Set<Launcher>(['npm', 'tox', 'nox', 'turbo', 'nx']);

/** Options of cargo whose value is the next word. */
const hasValue =
  /^(?:-[pFjZE]|--(?:package|exclude|test|bin|example|bench|features|target|target-dir|profile|manifest-path|jobs|color|config|message-format))$/;
const launchers: ReadonlySet<Runner | Launcher> = new Set<Launcher>([
  'npm',
  'pnpm',
  'yarn',
  'bun',
  'turbo',
  'nx',
  'make',
  'just',
  'tox',
  'nox',
  'docker',
  'shell',
]);
const isRunner = (name: Runner | Launcher): name is Runner => !launchers.has(name);

const isInstalled = (path: string) => path.startsWith('node_modules/') || path.includes('/node_modules/');
const isVendored = (path: string) => path.startsWith('vendor/') || path.includes('/vendor/');
const snapshot = /\.(?:snap|golden|ambr|approved\.\w+|verified\.\w+)$/;
/** Importing any test of a folder first runs its `__init__.py`, which may patch anything. */
const pythonStart = /(?:^|\/)(?:tests?|testing)\/(?:[^/]+\/)*__init__\.py$/;

function decider(
  trail: Trail,
  starts: readonly Start[],
  { isConfiguration, isRun, isMeasure, isListed }: Readonly<Record<'isConfiguration' | 'isRun' | 'isMeasure' | 'isListed', Matches>>,
): GateSight['decides'] {
  const names = new Set(starts.map(({ tool }) => tool.name));
  const testFolders = new Set(starts.filter(({ tool }) => tool.tests.length > 0).map(({ cwd }) => cwd));
  // A home-made runner is among its tests or beside them, or gets some of them as arguments.
  for (const path of [...trail.named.keys(), ...trail.measures, ...trail.globs.run]) {
    const above = aboveTests(path) ?? (trail.named.get(path) === 'test' ? folderOf(path) : null);
    if (above !== null) testFolders.add(above);
  }
  const isNode = starts.some(({ tool }) => tool.configuration.includes('package.json')) && !trail.repository.paths.some(isInstalled);
  const isGo = starts.some(({ tool }) => tool.configuration.includes('go.mod')) && !trail.repository.paths.some(isVendored);
  const onPath = [...trail.onPath];
  const made = globs([...trail.globs.made]);
  const isOwn: Matches = (path) =>
    trail.named.get(path) === 'configuration' ||
    (made.test(path) && !trail.index.files.has(path)) ||
    onPath.some((folder) => isWithin(path, folder)) ||
    (names.has('jest') && path.startsWith('__mocks__/')) ||
    ((names.has('pytest') || names.has('unittest')) && pythonStart.test(path));
  const isBeside: Matches = (path) => (isTestPlace(path) || snapshot.test(path)) && hasAbove(folderOf(path), testFolders);
  // Installed packages are the agent's if the project keeps them in the repository; if not, an added one replaces what is installed.
  const isReplacing: Matches = (path) => (isNode && isInstalled(path)) || (isGo && isVendored(path)) || path.includes('node_modules/.bin/');
  return (path) => {
    if (isOwn(path)) return 'configuration';
    if (isReplacing(path)) return 'configuration';
    if (isInstalled(path)) return null;
    if (isConfiguration(path)) return 'configuration';
    return isRun(path) || isBeside(path) || isMeasure(path) || isListed(path) ? 'test' : null;
  };
}

interface Linked {
  /** The tree as a program sees it: each link is replaced by its target. */
  readonly repository: Repository;
  /** Maps paths that go through a link to the real files. */
  readonly real: ReadonlyMap<string, string>;
}

/** The most paths that are followed. */
const MOST_PATHS = 5_000;

/** Follows the symbolic links of a tree, each once. A link that leads out of the tree or into itself is left as it is. */
function throughLinks(repository: Repository): Linked {
  const { links, paths } = repository;
  if (links === undefined || links.size === 0) return { repository, real: new Map() };
  const real = new Map([...links].flatMap(([link, target]) => meantBy(link, resolvePath(folderOf(link), target), paths)).slice(0, MOST_PATHS));
  const added = [...real.keys()].filter((path) => !links.has(path));
  return { repository: { paths: [...paths, ...added], read: (path) => repository.read(real.get(path) ?? path) }, real };
}

function meantBy(link: string, meant: string | null, paths: readonly string[]): readonly (readonly [string, string])[] {
  if (meant === null || meant === '' || isWithin(link, meant)) return [];
  return paths.filter((path) => path === meant || isWithin(path, meant)).map((path) => [link + path.slice(meant.length), path]);
}
