import type { ChangedDecider, GateLife } from '../../journal/words/proof.ts';
import { plural } from '../../kit/pure/amounts.ts';
import type { GateSpec } from '../../settings/schema/run-settings.ts';
import { plantsFor, skippedPlant } from '../canaries/plants-for.ts';
import { testsReported } from '../canaries/shown-in.ts';
import { matcherOf } from '../deciders/globs.ts';
import type { GateSight } from '../deciders/look-at-gate.ts';
import { SUSPECT } from '../judge/proof-words.ts';
import { type LifeCopy, runWith, token } from './planted-run.ts';

interface Asked {
  /** The states of the gates at the start. */
  readonly living: readonly GateLife[];
  readonly may_change: readonly string[];
}

/** No test was changed, but the gate runs fewer tests than at the start: somebody hid tests from the runner. A person may allow it. */
export function fewerTests(lives: readonly GateLife[], { living, may_change }: Asked): readonly ChangedDecider[] {
  const isAllowed = matcherOf(may_change);
  return lives.flatMap(({ command, tests, files }) => {
    const before = living.find((life) => life.command === command)?.tests;
    const [path] = files;
    if (tests === undefined || before === undefined || tests >= before || path === undefined || files.some(isAllowed)) return [];
    return [{ path, why: `${before} tests were run at the start and ${tests} are run now, ${SUSPECT.fewer}` }];
  });
}

interface Looking {
  readonly copy: LifeCopy;
  readonly gates: readonly GateSpec[];
  /** What planted failures have shown of them. */
  readonly lives: readonly GateLife[];
  readonly sights: readonly GateSight[];
  /** How many tests each ran when it was green; null: it printed no number, undefined: nobody has counted. */
  readonly counted: readonly { readonly command: string; readonly tests?: number | null | undefined }[];
  readonly mayChange: readonly string[];
}

/** What was green ran fewer tests than what had failures planted: it behaves differently when planted tests are there. A person may allow it. */
export async function fewerWhenGreen({ copy, gates, lives, sights, counted, mayChange }: Looking, signal: AbortSignal): Promise<readonly ChangedDecider[]> {
  const isAllowed = matcherOf(mayChange);
  const found: ChangedDecider[] = [];
  for (const [index, gate] of gates.entries()) {
    const life = lives.find(({ command }) => command === gate.command);
    const [sight, path] = [sights[index], life?.files[0]];
    const green = counted.find(({ command }) => command === gate.command)?.tests;
    if (life?.state !== 'living' || sight === undefined || path === undefined || green === undefined || isAllowed(path)) continue;
    if (runsWhatChanged(sight) || (green ?? 0) >= (life.tests ?? 0)) continue;
    const counts = await countAgain({ copy, gate, life, sight, green: green ?? 0 }, signal);
    if (counts !== null)
      found.push({ path, why: `it ran ${plural(counts.green, 'test')} without planted tests and ${counts.planted} with them: ${SUSPECT.asks}` });
  }
  return found;
}

/** A plant is a change, so such a gate honestly runs, or prints, more with plants than without. */
const runsWhatChanged = ({ choosesTests, tools }: GateSight) => choosesTests || tools.some(({ name }) => name === 'turbo' || name === 'nx');

interface Counting {
  readonly copy: LifeCopy;
  readonly gate: GateSpec;
  readonly life: GateLife;
  readonly sight: GateSight;
  readonly green: number;
}

const TIMES = 2;

/**
 * A gate may print numbers only when it is red, run each file more than once, or run other tests each time. So plants that are skipped are counted too: they
 * turn nothing red and add no test. The claim is held only if each run with them has more tests than every run without. Null if not.
 */
async function countAgain(
  { copy, gate, life, sight, green }: Counting,
  signal: AbortSignal,
): Promise<{ readonly green: number; readonly planted: number } | null> {
  const plants = await plantsFor({ runners: sight.runners, tests: life.files, sources: [], read: copy.read, token, decides: sight.decides });
  const skipped = plants.flatMap((plant) => skippedPlant(plant) ?? []);
  if (skipped.length === 0) return null;
  const count = async (planted: typeof skipped) => testsReported((await runWith(copy, gate, planted, signal)).output) ?? 0;
  const counts = { green, planted: Number.POSITIVE_INFINITY };
  for (let time = 0; time < TIMES; time += 1) {
    counts.planted = Math.min(counts.planted, await count(skipped));
    if (!signal.aborted && counts.planted > counts.green) counts.green = Math.max(counts.green, await count([]));
    if (signal.aborted || counts.planted <= counts.green) return null;
  }
  return counts;
}
