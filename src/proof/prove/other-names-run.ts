import type { GateResult } from '../../journal/events/gates.ts';
import type { GateLife } from '../../journal/words/proof.ts';
import { type Bed, baseName, type Plant } from '../canaries/plant.ts';
import { renamedAlone } from '../canaries/plants-for.ts';
import { casesShown, failuresReported, halfShownIn, ownTestsReported, shownIn } from '../canaries/shown-in.ts';
import { hasEnded, type Question, runWith, token } from './planted-run.ts';

/** Whether nothing but the planted failures is red, as far as the gate tells. Then the other names of its tests made no difference. */
export function isAsPlanted(result: GateResult, plants: readonly Plant[], before: GateLife | null): boolean {
  if (!hasEnded(result) || result.green || isRedBesides(result, plants)) return false;
  const tests = ownTestsReported(result.output, plants);
  const isFewer = tests !== null && tests < (before?.tests ?? 0);
  const isHalf = halfShownIn(result.output, plants).some((path) => before?.half?.includes(path) !== true);
  return !isFewer && !isHalf && shownIn(result.output, plants).length === plants.length;
}

/** Whether more tests failed than were planted. A plant that is no case of its own, such as another snapshot, makes others fail. */
export function isRedBesides({ output }: Pick<GateResult, 'output'>, plants: readonly Plant[]): boolean {
  const failures = failuresReported(output);
  return failures !== null && plants.every(({ cases }) => cases > 0) && failures > casesShown(output, plants);
}

/** The same, unless each planted failure is only reported several times, by a gate that runs its tests as often. False if no planted failure is shown. */
export function isRedAnyway(result: Pick<GateResult, 'output'>, plants: readonly Plant[]): boolean {
  const shown = casesShown(result.output, plants);
  return shown > 0 && isRedBesides(result, plants) && (failuresReported(result.output) ?? 0) % shown !== 0;
}

/** Runs the tests with other names and places, and nothing planted. If they are red twice, the files that the gate names are returned. */
export async function filesThatNeedTheirNames({ gate, copy, sight }: Question, plants: readonly Plant[], signal: AbortSignal): Promise<readonly string[]> {
  const beds: Bed[] = [];
  for (const { path } of plants) {
    const text = await copy.read(path);
    if (text !== null) beds.push({ path, text, runners: sight.runners, token });
  }
  const renamed = renamedAlone(beds, copy.paths);
  if (renamed.length === 0) return [];
  const once = await runWith(copy, gate, renamed, signal);
  if (once.green || signal.aborted) return [];
  const twice = await runWith(copy, gate, renamed, signal);
  if (twice.green || !hasEnded(twice) || signal.aborted) return [];
  const paths = renamed.map(({ path }) => path);
  const said = paths.filter((path) => twice.output.includes(baseName(path)));
  return said.length > 0 ? said : paths;
}
