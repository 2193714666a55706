import type { GateResult } from '../../journal/events/gates.ts';
import type { GateLife } from '../../journal/words/proof.ts';
import type { GateSpec } from '../../settings/schema/run-settings.ts';
import { markIn } from '../canaries/mark.ts';
import type { Plant } from '../canaries/plant.ts';
import { plantsFor } from '../canaries/plants-for.ts';
import { casesShown, halfShownIn, shownIn } from '../canaries/shown-in.ts';
import { testsReported } from '../canaries/tests-reported.ts';
import type { GateSight } from '../deciders/look-at-gate.ts';
import { lifeOfMeasures } from './life-of-measures.ts';
import { askedIn, unlessBent, withOwn } from './own-assertions.ts';
import { hasEnded, type LifeCopy, LONG_MS, listed, living, type Question, runWith, type Seen, token, unknown } from './planted-run.ts';

/** More would make a start slow; files that are left out are not part of the living set. */
const MOST_PLANTED = 500;

/** Whether planted failures turn a gate red, and in which files it notices them. */
export async function lifeOf(question: Question, signal: AbortSignal): Promise<GateLife> {
  const { gate, copy, sight, before } = question;
  if (gate.proof !== undefined) return unknown(gate.command, 'has no failures planted, as its settings say');
  if (isUnknown(sight)) return unknownTo(gate);
  const known = before?.files.filter((path) => copy.files.has(path)) ?? [];
  const tests = known.length > 0 ? known : allTests(sight);
  const plants = await plantsIn(copy, sight, tests, known.length > 0);
  if (plants.length === 0) return await lifeOfMeasures(question, signal);
  const result = await runWith(copy, gate, plants, signal);
  if (known.length === 0) return await first(question, { plants, result }, signal);
  const life = await again(question, { plants, result }, signal);
  return life.state === 'living' ? await unlessDeadInMovedTests(life, question, signal) : life;
}

async function unlessDeadInMovedTests(life: GateLife, { gate, copy, sight, moved = [] }: Question, signal: AbortSignal): Promise<GateLife> {
  const plants = moved.length === 0 ? [] : await plantsIn(copy, sight, moved, true);
  if (plants.length === 0 || !(await runWith(copy, gate, plants, signal)).green) return life;
  return dead(gate.command, `stays green with failures planted in ${listed(plants.map(({ path }) => path))}`);
}

/** Whether it is unknown what the gate runs, and it compares with no file. */
export const isUnknown = ({ runners, compared }: GateSight) => runners.length === 0 && compared.length === 0;

/** The result for a gate whose runners are unknown. */
export const unknownTo = ({ command }: GateSpec, why = ''): GateLife => (why === '' ? { command, state: 'unknown', files: [], why } : unknown(command, why));

async function first(question: Question, { plants, result }: Seen, signal: AbortSignal): Promise<GateLife> {
  const { gate, sight } = question;
  const { command } = gate;
  if (!hasEnded(result)) return unknown(command, 'did not end by itself with failures planted');
  if (result.green && sight.choosesTests) return unknown(command, 'runs chosen tests only');
  const sure = plants.filter(({ path }) => sight.tests.includes(path) || !sight.specs.includes(path));
  if (result.green && sure.length === 0) return unknown(command, 'runs none of the files that look like its tests');
  if (result.green) return dead(command, `stays green with failures planted in ${listed(sure.map(({ path }) => path))}`);
  const shown = shownIn(result.output, plants);
  const more = sight.specs.length > 0 && shown.length < plants.length ? await behindTheFirst(question, plants, signal) : [];
  const files = plants.map(({ path }) => path).filter((path) => shown.includes(path) || more.includes(path));
  const half = [...halfShownIn(result.output, plants), ...files.filter((path) => !shown.includes(path))];
  if (files.length > 0) return withOwn(living(command, files, half, testsIn({ plants, result })), await askedIn(question, { plants, result }, signal));
  return unknown(command, 'goes red, but shows none of the planted failures');
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
async function again(question: Question, { plants, result }: Seen, signal: AbortSignal): Promise<GateLife> {
  const { gate, before } = question;
  const { command } = gate;
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
    seen = { plants, result: await runWith(copy, gate, plants, signal) };
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
  const all = seen === null ? null : testsReported(seen.result.output);
  return seen === null || all === null ? null : all - casesShown(seen.result.output, seen.plants);
}

const most = (one: number | null, other: number | null) => (one === null || other === null ? null : Math.max(one, other));

const dead = (command: string, why: string): GateLife => ({ command, state: 'dead', files: [], why });

/** What a first run plants, in a copy or only as a list. */
export const plantsAtFirst = (tree: Pick<LifeCopy, 'paths' | 'read'>, sight: GateSight) => plantsIn(tree, sight, allTests(sight), false);

const allTests = ({ tests, specs }: GateSight) => [...new Set([...tests, ...specs])];

function plantsIn(copy: Pick<LifeCopy, 'paths' | 'read'>, sight: GateSight, tests: readonly string[], isKnown: boolean): Promise<readonly Plant[]> {
  const wanted = tests.slice(0, MOST_PLANTED);
  return plantsFor({ runners: sight.runners, tests: wanted, sources: isKnown ? wanted : copy.paths, read: copy.read, token });
}
