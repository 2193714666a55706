import type { ChangedDecider } from '../../journal/words/proof.ts';
import type { GateSpec } from '../../settings/schema/run-settings.ts';
import type { Plant } from '../canaries/plant.ts';
import { type Reach, reachesOf } from '../canaries/reach.ts';
import type { TookOver } from '../deciders/changes/took-over.ts';
import type { GateSight } from '../deciders/look-at-gate.ts';
import { folderOf, type Repository, readText } from '../deciders/repository.ts';
import { SUSPECT } from '../judge/proof-words.ts';
import { hasEnded, type LifeCopy, runWith, token } from './planted-run.ts';

/** Each costs a run of the gate, if the checker does not look at it. */
const MOST_ASKED = 5;
const MOST_TOGETHER = 50;

interface Asked {
  readonly gates: readonly GateSpec[];
  /** Of each gate, in the base. */
  readonly sights: readonly GateSight[];
  readonly base: Repository;
  readonly copy: LifeCopy;
  readonly tookOver: readonly TookOver[];
}

/**
 * New files that keep code from a checker that looked at it where it was. A compiler is shown a mistake in both files, and has to find both. A linter may have
 * other rules in the new place, so it gets the new code in the old place, and has to accept it. Whatever the settings of a checker are, it shows what they mean.
 */
export async function leftUnchecked({ gates, sights, base, copy, tookOver }: Asked, signal: AbortSignal): Promise<readonly ChangedDecider[]> {
  const left = new Set<string>();
  const checkers = gates.flatMap((gate, at): readonly Checker[] =>
    gate.proof === undefined ? reachesOf(sights[at]?.runners ?? []).map((reach) => ({ gate, reach, base, copy })) : [],
  );
  for (const checker of checkers) {
    const { isLinter, isInItsLanguage } = checker.reach;
    const open = tookOver.filter(({ path, from }) => !left.has(path) && isInItsLanguage(path) && isInItsLanguage(from));
    for (const path of await (isLinter ? rejectedWhereItWas : hiddenFrom)(checker, open, signal)) left.add(path);
  }
  return signal.aborted ? [] : [...left].map((path) => ({ path, why: SUSPECT.left }));
}

interface Checker extends Pick<Asked, 'base' | 'copy'> {
  readonly gate: GateSpec;
  readonly reach: Reach;
}

async function rejectedWhereItWas(checker: Checker, open: readonly TookOver[], signal: AbortSignal): Promise<readonly string[]> {
  const plants = await Promise.all(open.slice(0, MOST_TOGETHER).map((each) => inOldPlace(checker, each)));
  if (plants.length === 0 || !(await isRejected(checker, plants, signal))) return [];
  const rejected: string[] = [];
  for (const [at, plant] of plants.slice(0, MOST_ASKED).entries()) {
    if (plants.length === 1 || (await isRejected(checker, [plant], signal))) rejected.push(open[at]?.path ?? '');
  }
  return rejected;
}

/** At the path that is gone, or beside the file that is still there, where nothing uses it. */
async function inOldPlace({ copy }: Checker, { path, from }: TookOver): Promise<Plant> {
  const beside = `${folderOf(from) === '' ? '' : `${folderOf(from)}/`}ralph-${token()}${from.slice(from.lastIndexOf('.'))}`;
  return { path: copy.files.has(from) ? beside : from, text: (await readText(copy, path)) ?? '', tokens: [], cases: 0 };
}

async function hiddenFrom(checker: Checker, open: readonly TookOver[], signal: AbortSignal): Promise<readonly string[]> {
  const paths: string[] = [...new Set(open.map(({ path }) => path))];
  if (paths.length === 0) return [];
  // All at once: usually it looks at none of them, or at the only one.
  const isAnySeen = await looksAt(checker, paths, signal);
  const unseen: string[] = isAnySeen ? [] : paths;
  for (const path of isAnySeen && paths.length > 1 ? paths.slice(0, MOST_ASKED) : []) if (!(await looksAt(checker, [path], signal))) unseen.push(path);
  const hidden: string[] = [];
  for (const { path, from } of open.filter((each) => unseen.includes(each.path)).slice(0, MOST_ASKED)) {
    if (!hidden.includes(path) && (await looksAt(checker, [from], signal))) hidden.push(path);
  }
  return hidden;
}

/** Whether the checker rejects these files once they are broken. */
async function looksAt({ gate, reach, base, copy }: Checker, paths: readonly string[], signal: AbortSignal): Promise<boolean> {
  const plants: Plant[] = [];
  for (const path of paths) {
    const text = (await readText(copy, path)) ?? (await readText(base, path)) ?? '';
    plants.push({ path, text: reach.broken(path, text, token()), tokens: [], cases: 0 });
  }
  return await isRejected({ gate, reach, copy }, plants, signal);
}

async function isRejected({ gate, reach, copy }: Omit<Checker, 'base'>, plants: readonly Plant[], signal: AbortSignal): Promise<boolean> {
  const result = await runWith(copy, gate, plants, signal);
  return hasEnded(result) && !result.green && reach.isNoticed(result.output);
}
