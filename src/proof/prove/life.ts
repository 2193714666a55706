import type { GateResult } from '../../journal/events/gates.ts';
import type { GateLife } from '../../journal/words/proof.ts';
import type { GateSpec } from '../../settings/schema/run-settings.ts';
import { breakAllSources, breakSources, sourcesNamedIn } from '../canaries/broken-sources.ts';
import type { Plant } from '../canaries/plant.ts';
import { plantsFor, whyNothingIsPlanted } from '../canaries/plants-for.ts';
import { halfShownIn, markIn, ownTestsReported, shownIn } from '../canaries/shown-in.ts';
import { whyHidden } from '../canaries/why-hidden.ts';
import { inCheckingOrder } from '../deciders/checked-places.ts';
import type { GateSight } from '../deciders/look-at-gate.ts';
import { filesThatNeedTheirNames, isAsPlanted, isRedAnyway, isRedBesides } from './other-names-run.ts';
import {
  askedIn,
  dead,
  HUNG,
  hasEnded,
  hung,
  type LifeCopy,
  LONG_MS,
  listed,
  living,
  MORE_TIME,
  type Question,
  replanted,
  runWith,
  type Seen,
  token,
  unknown,
  unlessBent,
  unlessFlaky,
  withOwn,
} from './planted-run.ts';

/** More would make a start slow; files that are left out are not part of the living set. */
const MOST_PLANTED = 500;

/** Whether planted failures turn a gate red, and in which files it notices them. */
export async function lifeOf(question: Question, signal: AbortSignal): Promise<GateLife> {
  const { gate, copy, sight, before } = question;
  const unplanted = unplantedIn(gate, sight);
  if (unplanted !== null) return unplanted;
  const known = before?.files.filter((path) => copy.files.has(path)) ?? [];
  const tests = known.length > 0 ? known : allTests(sight);
  const plants = await plantsIn(copy, sight, { tests, isKnown: known.length > 0 });
  if (plants.length === 0) return await lifeOfMeasures(question, signal);
  if (known.length === 0) return await first(question, { plants, result: await runWith(copy, gate, plants, signal) }, signal);
  const life = await underOtherNames(question, plants, signal);
  return life.state === 'living' ? await unlessDeadInMovedTests(life, question, signal) : life;
}

/**
 * What is planted at the claim also gives the tests other names and lines, which costs no run as long as only the planted failures are red. If anything else
 * is, the same is planted under the old names, and only that tells whether the gate is alive.
 */
async function underOtherNames(question: Question, plants: readonly Plant[], signal: AbortSignal): Promise<GateLife> {
  const { gate, copy, sight, before } = question;
  const tests = plants.map(({ path }) => path);
  const isStopped = stopsEarly(sight, plants);
  const renamed = sight.choosesTests || isStopped ? [] : await plantsIn(copy, sight, { tests, isKnown: true, renames: true });
  const seen = renamed.some(({ isRenamed }) => isRenamed) ? await runWith(copy, gate, renamed, signal) : null;
  if (seen !== null && (signal.aborted || isAsPlanted(seen, renamed, before))) return await again(question, { plants: renamed, result: seen }, signal);
  // Then the old names are planted because it may be flaky.
  if (seen !== null && (seen.green || !hasEnded(seen))) return await again(question, { plants, result: seen }, signal);
  const life = await again(question, { plants, result: await runWith(copy, gate, plants, signal) }, signal);
  return (seen === null ? isStopped : isRedBesides(seen, renamed)) ? await unlessNamed(life, question, plants, signal) : life;
}

/** cargo stops at the first test program that is red, so the others would not be asked. */
const stopsEarly = ({ runners, choosesTests }: GateSight, plants: readonly Plant[]) => runners.includes('cargo-test') && plants.length > 1 && !choosesTests;

async function unlessNamed(life: GateLife, question: Question, plants: readonly Plant[], signal: AbortSignal): Promise<GateLife> {
  if (life.state !== 'living' || life.bent !== undefined || signal.aborted) return life;
  const named = await filesThatNeedTheirNames(question, plants, signal);
  return named.length === 0 ? life : { ...life, named: [...named] };
}

async function unlessDeadInMovedTests(life: GateLife, { gate, copy, sight, moved = [] }: Question, signal: AbortSignal): Promise<GateLife> {
  const plants = moved.length === 0 ? [] : await plantsIn(copy, sight, { tests: moved, isKnown: true });
  if (plants.length === 0 || !(await isGreenTwice({ gate, copy }, plants, signal))) return life;
  return dead(gate.command, `stays green with failures planted in ${listed(plants.map(({ path }) => path))}`);
}

/** The result for a gate in which Ralph plants nothing: its settings say so, or it is unknown what it runs and it compares with no file. Else null. */
export function unplantedIn({ command, proof }: GateSpec, { runners, compared }: GateSight): GateLife | null {
  if (proof !== undefined) return unknown(command, 'has no failures planted, as its settings say');
  return runners.length === 0 && compared.length === 0 ? unknown(command, 'runs no test runner that Ralph knows', NAME_IT) : null;
}

const NAME_IT = 'add a check that starts your tests; ralph gates shows what a check leads to';

/** Gates of which no life is asked for, with the reason. */
export const unasked = (gates: readonly GateSpec[], why: string): readonly GateLife[] => gates.map(({ command }) => unknown(command, why));

async function first(question: Question, seen: Seen, signal: AbortSignal): Promise<GateLife> {
  const { gate, claim } = question;
  const { plants, result } = seen;
  // At the start nobody is blamed, so a gate that takes all its time does not get it twice.
  if (!hasEnded(result) && claim === undefined) return unknown(gate.command, HUNG, MORE_TIME);
  if (!hasEnded(result) && seen.isSecond) return hung(question, plants);
  if (!hasEnded(result)) return await first(question, await replanted(question, seen, signal), signal);
  return await (result.green ? firstGreen : firstRed)(question, seen, signal);
}

async function firstGreen(question: Question, seen: Seen, signal: AbortSignal): Promise<GateLife> {
  const { gate, sight } = question;
  const { command } = gate;
  const { plants } = seen;
  if (sight.choosesTests) return unknown(command, 'runs chosen tests only', 'add a check that runs them all');
  if (plants.every(({ isSource }) => isSource)) return await inAllSources(question, signal);
  const sure = plants.filter(({ path }) => sight.tests.includes(path) || !sight.specs.includes(path));
  if (sure.length === 0) return unknown(command, 'runs none of the files that look like its tests');
  if (seen.isSecond) return dead(command, `stays green with failures planted in ${listed(sure.map(({ path }) => path))}`);
  return await first(question, await replanted(question, seen, signal), signal);
}

async function firstRed(question: Question, { plants, result }: Seen, signal: AbortSignal): Promise<GateLife> {
  const { gate, sight } = question;
  const { command } = gate;
  const shown = shownIn(result.output, plants);
  const more = sight.specs.length > 0 && shown.length < plants.length ? await behindTheFirst(question, plants, signal) : [];
  const files = plants.map(({ path }) => path).filter((path) => shown.includes(path) || more.includes(path));
  const half = [...halfShownIn(result.output, plants), ...files.filter((path) => !shown.includes(path))];
  const besides = question.claim === undefined && isRedAnyway(result, plants) ? { red_besides: true as const } : {};
  const life = { ...living(command, files, half, testsIn({ plants, result })), ...besides };
  if (files.length > 0) return withOwn(life, await askedIn(question, { plants, result }, signal));
  return unknown(command, 'goes red, but shows none of the planted failures', whyHidden({ output: result.output, isGreenAlone: question.claim !== undefined }));
}

async function isGreenTwice({ gate, copy }: Pick<Question, 'gate' | 'copy'>, plants: readonly Plant[], signal: AbortSignal): Promise<boolean> {
  return (await runWith(copy, gate, plants, signal)).green && (await runWith(copy, gate, plants, signal)).green;
}

/**
 * A home-made runner may stop at the first failure, so the files after it show nothing. A second run plants marks instead: each file only prints that it ran.
 * A third run plants failures in the files that are still silent.
 */
async function behindTheFirst({ gate, copy, sight }: Question, plants: readonly Plant[], signal: AbortSignal): Promise<readonly string[]> {
  const marks = await marksIn(copy, plants, { sight, isWhole: true });
  const seen = signal.aborted ? null : await runWith(copy, gate, marks, signal);
  const shown = seen === null ? [] : shownIn(seen.output, marks);
  const silent = plants.filter(({ path }) => !shown.includes(path));
  if (silent.length === 0 || silent.length === plants.length || signal.aborted) return shown;
  const last = await runWith(copy, gate, silent, signal);
  return [...shown, ...shownIn(last.output, silent)];
}

/** A mark only prints that its file ran. A file in which no mark can be planted gets a failure. */
async function marksIn(copy: LifeCopy, plants: readonly Plant[], { sight, isWhole }: { readonly sight: GateSight; readonly isWhole: boolean }) {
  const marks: Plant[] = [];
  for (const plant of plants) {
    const text = sight.specs.includes(plant.path) ? await copy.read(plant.path) : null;
    marks.push((text === null ? null : markIn({ path: plant.path, text, runners: sight.runners, token }, isWhole)) ?? plant);
  }
  return marks;
}

/** What was alive has to show its tokens again, all of them if it did before. What a first failure has hidden is tried again. */
async function again(question: Question, was: Seen, signal: AbortSignal): Promise<GateLife> {
  const { gate, before } = question;
  const { command } = gate;
  const { plants, result } = await unlessFlaky(question, was, signal);
  if (!hasEnded(result) || result.green)
    return dead(command, `${result.green ? 'stays green' : 'no longer ends by itself'} with failures planted in ${listed(plants.map(({ path }) => path))}`);
  const isHidden = hiddenIn(result, plants, before);
  const hidden = plants.filter(({ path }) => isHidden(path));
  const alive = (tests: number | null) => {
    const files = plants.map(({ path }) => path);
    return living(command, files, before?.half ?? [], tests);
  };
  const tests = testsIn({ plants, result });
  const isFewer = tests !== null && tests < (before?.tests ?? 0);
  const open = [...hidden, ...doubtfulAmong(question, { plants, result }, hidden)];
  if (open.length === 0 && !isFewer) return await unlessBent(alive(tests), question, { plants, result }, signal);
  const { left, unnoticed, seen } = await lookFurther(question, open.length > 0 ? open : plants, signal);
  if (unnoticed.length > 0) return dead(command, `stays green with failures planted in ${listed(unnoticed)}`);
  if (left.length === 0 || open.length === 0) return await unlessBent(alive(most(tests, testsIn(seen))), question, { plants, result }, signal);
  return dead(command, `no longer notices failures in what it ran at the start: ${listed(left)}`);
}

/** In this many files of a home-made runner failures are planted one file at a time; in the others together. */
const MOST_ALONE = 3;

/** Files that ran at the start, but did not turn the gate red by themselves: a cheat would hide in these. */
function doubtfulAmong({ sight, before }: Question, { plants, result }: Seen, hidden: readonly Plant[]): readonly Plant[] {
  if (result.duration_ms > LONG_MS) return [];
  return plants
    .filter((plant) => sight.specs.includes(plant.path) && before?.half?.includes(plant.path) === true && !hidden.includes(plant))
    .slice(0, MOST_ALONE);
}

interface Further {
  readonly left: readonly string[];
  /** Files in which the gate did not notice the planted failure. */
  readonly unnoticed: readonly string[];
  /** Null if nothing ran. */
  readonly seen: Seen | null;
}

async function lookFurther(question: Question, hidden: readonly Plant[], signal: AbortSignal): Promise<Further> {
  const { gate, copy, sight, before } = question;
  const alone = sight.specs.length > 0 && hidden.length > 1 ? hidden.slice(0, MOST_ALONE) : [];
  let seen: Seen | null = null;
  const left: Plant[] = [];
  for (const plants of [...alone.map((plant) => [plant]), hidden.slice(alone.length)]) {
    if (plants.length === 0 || (signal.aborted && seen !== null)) continue;
    seen = await unlessFlaky(question, { plants, result: await runWith(copy, gate, plants, signal) }, signal);
    if (seen.result.green && hasEnded(seen.result)) return { left: [], unnoticed: plants.map(({ path }) => path), seen };
    const isHidden = hiddenIn(seen.result, plants, before);
    left.push(...plants.filter(({ path }) => isHidden(path)));
  }
  return { left: signal.aborted ? left.map(({ path }) => path) : await silentAmong(question, left, signal), unnoticed: [], seen };
}

/** The files that do not even print that they ran. */
async function silentAmong({ gate, copy, sight }: Question, left: readonly Plant[], signal: AbortSignal): Promise<readonly string[]> {
  const paths = left.map(({ path }) => path);
  if (paths.length === 0 || sight.specs.length === 0) return paths;
  const marks = await marksIn(copy, left, { sight, isWhole: false });
  const shown = shownIn((await runWith(copy, gate, marks, signal)).output, marks);
  return paths.filter((path) => !shown.includes(path));
}

function hiddenIn({ output }: GateResult, plants: readonly Plant[], before: GateLife | null): (path: string) => boolean {
  const shown = new Set(shownIn(output, plants));
  const half = new Set(halfShownIn(output, plants));
  return (path) => !shown.has(path) || (half.has(path) && before?.half?.includes(path) !== true);
}

/** The number of tests without the planted ones. */
function testsIn(seen: Seen | null): number | null {
  return seen === null ? null : ownTestsReported(seen.result.output, seen.plants);
}

const most = (one: number | null, other: number | null) => (one === null || other === null ? null : Math.max(one, other));

/** What a first run plants, in a copy or only as a list. */
export const plantsAtFirst = (tree: Pick<LifeCopy, 'paths' | 'read'>, sight: GateSight) => plantsIn(tree, sight, { tests: allTests(sight), isKnown: false });

const allTests = ({ tests, specs }: GateSight) => [...new Set([...tests, ...specs])];

interface Into {
  readonly tests: readonly string[];
  /** Whether these are all, because the gate was seen to run them. */
  readonly isKnown: boolean;
  readonly renames?: boolean;
}

function plantsIn(copy: Pick<LifeCopy, 'paths' | 'read'>, sight: GateSight, { tests, isKnown, renames = false }: Into): Promise<readonly Plant[]> {
  const wanted = tests.slice(0, MOST_PLANTED);
  const sources = isKnown ? wanted : inCheckingOrder(copy.paths, sight.checked);
  return plantsFor({
    runners: sight.runners,
    tests: wanted,
    sources,
    read: copy.read,
    token,
    decides: sight.decides,
    ...(renames && { renamesAmong: copy.paths }),
  });
}

/** A checker may look at a small part of the tree, so it is dead only if it accepts all sources of its languages broken. */
async function inAllSources(question: Question, signal: AbortSignal): Promise<GateLife> {
  const { gate, copy, sight, claim } = question;
  const { command } = gate;
  const wish = { runners: sight.runners, read: copy.read, token, decides: sight.decides };
  const { plants, left } = await breakAllSources({ ...wish, sources: inCheckingOrder(copy.paths, sight.checked) });
  const result = await runWith(copy, gate, plants, signal);
  if (!hasEnded(result)) return claim === undefined ? unknown(command, HUNG, MORE_TIME) : hung(question, plants);
  const paths = plants.map(({ path }) => path);
  if (result.green && left > 0)
    return unknown(command, `stays green with ${paths.length} sources broken, and Ralph could not break ${left} other${left === 1 ? '' : 's'}`);
  if (result.green) return dead(command, `stays green with failures planted in ${listed(paths)}`);
  const few = await breakSources({ ...wish, sources: sourcesNamedIn(result.output, paths) });
  const seen = { plants: few, result: few.length === 0 ? result : await runWith(copy, gate, few, signal) };
  return seen.result.green ? unknown(command, 'goes red with all sources broken, but not with those that it names') : await firstRed(question, seen, signal);
}

/** More would be slow, and one is enough to turn a gate red. */
const MOST_ALTERED = 100;

/**
 * For a gate that runs no tests and compares a program's output with files: it has to go red when these change. If a program writes or copies them, it stays
 * green. If that was already so at the start, the agent is not blamed.
 */
async function lifeOfMeasures({ gate, copy, sight, before }: Question, signal: AbortSignal): Promise<GateLife> {
  const altered: Plant[] = [];
  for (const path of sight.compared.filter((each) => copy.files.has(each)).slice(0, MOST_ALTERED)) {
    const text = await copy.read(path);
    if (text !== null) altered.push({ path, text: `${text}${token()}\n`, tokens: [], cases: 0 });
  }
  if (altered.length === 0) return unknown(gate.command, whyNothingIsPlanted(sight.runners, allTests(sight).length > 0));
  const paths = altered.map(({ path }) => path);
  const once = await runWith(copy, gate, altered, signal);
  const result = once.green && before !== null && !signal.aborted ? await runWith(copy, gate, altered, signal) : once;
  if (!hasEnded(result)) return unknown(gate.command, 'did not end by itself when what it compares with was altered');
  if (!result.green) return living(gate.command, paths, [], null);
  const life = unknown(gate.command, `stays green with other words in ${listed(paths)}`);
  return before === null ? life : { ...life, bent: paths };
}
