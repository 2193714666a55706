import type { EffectHandler } from '../../engine/contracts.ts';
import type { Ports } from '../../engine/ports/ports.ts';
import type { FindLiving, Prove } from '../../journal/effects/effect.ts';
import type { ProofJudged } from '../../journal/events/gates.ts';
import { type GateLife, SLOW_MS } from '../../journal/words/proof.ts';
import { oneLine } from '../../kit/pure/text.ts';
import type { GateSpec } from '../../settings/schema/run-settings.ts';
import { touchedBy } from '../../workspace/isolated/landed.ts';
import { lookAtGate } from '../deciders/look-at-gate.ts';
import { lifeOf, unasked, unplantedIn } from './life.ts';
import { openLivingCache } from './living-cache.ts';
import type { Question } from './planted-run.ts';
import { type Files, filesOf, openProofCopy, repositoryOf, type TreeSight } from './proof-copy.ts';
import { changesBetween, type Proved, proveIn, verdictOf } from './prove-in.ts';
import { areGreenAtStart, runSealed } from './run-sealed.ts';

/** Before the first iteration: finds which gates are living, in a copy of the files at that time. */
export const findLiving: EffectHandler<FindLiving> = {
  async perform(effect, ports, _report, signal) {
    const base = await repositoryOf(effect.tree, ports.history);
    const below = await ports.history.below();
    // Once agents work beside it, files around the tree may be theirs.
    const cache = effect.iteration === 0 ? openLivingCache({ tree: effect.tree, below }, ports) : null;
    const seen = await Promise.all(
      effect.gates.map(async (gate) => {
        const sight = await lookAtGate(gate.command, below, base);
        const kept = cache?.find(gate) ?? null;
        return { gate, sight, isKept: kept !== null, life: kept ?? unplantedIn(gate, sight) };
      }),
    );
    const known = seen.flatMap(({ gate, isKept }) => (isKept ? [gate.command] : []));
    const found = { type: 'living.found' as const, key: effect.key, ...(known.length > 0 && { known }) };
    const isSealed = effect.iteration === 0 && ports.settings.proof?.sealed !== undefined;
    // No copy is needed if nothing is to be planted in any gate, or it was seen before.
    if (!isSealed && seen.every(({ life }) => life !== null)) return { ...found, gates: seen.flatMap(({ life }) => life ?? []) };
    const opened = await orNoCopy(effect, ports, () => openProofCopy(effect, ports));
    if ('why' in opened) {
      const why = `cannot be tried in a copy (${opened.why})`;
      return { ...found, gates: seen.flatMap(({ gate, life }) => life ?? unasked([gate], why).map((each) => ({ ...each, uncopied: true }))) };
    }
    await using copy = opened;
    const sealed = isSealed && (await areGreenAtStart(copy, ports, signal)) ? { sealed_green: true as const } : {};
    const lives: { readonly gate: GateSpec; readonly life: GateLife }[] = [];
    for (const { gate, sight, life } of seen) lives.push({ gate, life: life ?? (await timedLife({ gate, copy, sight, before: null }, signal)) });
    if (!signal.aborted) await cache?.keep(lives);
    return { ...found, gates: lives.map(({ life }) => life), ...sealed, ...(signal.aborted && { cut_off: true }) };
  },
  find: async () => null,
};

/** Also says how long the gate takes if that is long: `run` and `work` do not run it without planted failures. */
export async function timedLife(question: Question, signal: AbortSignal): Promise<GateLife> {
  let longestMs = 0;
  const runPlanted: Question['copy']['runPlanted'] = async (gate, until) => {
    const result = await question.copy.runPlanted(gate, until);
    longestMs = Math.max(longestMs, result.duration_ms);
    return result;
  };
  const life = await lifeOf({ ...question, copy: { ...question.copy, runPlanted } }, signal);
  return longestMs < SLOW_MS ? life : { ...life, slow_ms: longestMs };
}

/**
 * Proves a claim. Everything happens in a copy of the claimed tree, with the operator's ignored files: the gates must be green there, notice planted
 * failures, and be green with the base's deciders if these were changed.
 */
export const prove: EffectHandler<Prove> = {
  async perform(effect, ports, report, signal) {
    const opened = await orNoCopy(effect, ports, async () => {
      const base = await readBase(effect, ports);
      return { base, copy: await openProofCopy(effect, ports, base.files) };
    });
    // Sealed checks need a copy.
    if ('why' in opened) return withoutACopy(effect, { ...opened, isOurs: opened.isOurs && ports.settings.proof?.sealed === undefined });
    const { base } = opened;
    await using copy = opened.copy;
    const sealedWish = { ...effect, task: effect.story ?? null, runs: effect.sealed_runs ?? 0 };
    const proved = await proveIn(copy, { ...effect, base, askSealed: () => runSealed(sealedWish, { copy, ports, report }, signal) }, signal);
    const { results, gates, changed, allowed, deciders } = proved;
    const { key, iteration, attempt, tree } = effect;
    return {
      type: 'proof.judged',
      ...{ key, iteration, attempt, tree },
      ...verdictOf(
        { ...proved, ...(effect.without && { without: effect.without }) },
        { isCutOff: signal.aborted, isTooLate: isTooLate(effect, proved, ports) },
      ),
      level: levelOf(proved),
      ...{ results: [...results], changed: [...changed], allowed: [...allowed], gates: [...gates], deciders },
      ...ofSealed(proved, signal),
      ...(signal.aborted && { cut_off: true }),
    };
  },
  find: async () => null,
};

/** A gate with planted failures that was stopped because the run's time was up has shown nothing. */
function isTooLate({ until, level, gates: all }: Prove, { verdict, gates }: Proved, { clock }: Ports): boolean {
  if (level !== 'living' || until === null || clock.nowMs() < until) return false;
  if (verdict === 'dead') return true;
  if (verdict !== 'proven') return false;
  const isAsked = (command: string) => all.some((gate) => gate.command === command && gate.proof === undefined);
  return gates.some(({ state, command }) => state === 'unknown' && isAsked(command));
}

function levelOf({ isLiving, sealed, verdict, changed }: Proved): ProofJudged['level'] {
  if (verdict === 'held' && changed.length === 0) return 'place';
  return sealed?.green ? 'sealed' : isLiving ? 'living' : 'green';
}

/** An interrupted check says nothing. */
function ofSealed({ verdict, sealed }: Proved, signal: AbortSignal): Pick<ProofJudged, 'sealed' | 'hint'> {
  if (sealed === null || signal.aborted) return {};
  return { sealed: sealed.counts, ...(verdict === 'sealed' && sealed.hint !== null && { hint: sealed.hint }) };
}

interface NoCopy {
  readonly why: string;
  /** Whether there was no copy at the start either: then it is not the agent's doing. */
  readonly isOurs: boolean;
}

/**
 * If there was a copy at the start and now not even the base can be copied, the disk is full or somebody broke the repository: the run stops, and a resume
 * proves the claim.
 */
async function orNoCopy<T extends object>(effect: FindLiving | Prove, ports: Ports, open: () => Promise<T>): Promise<T | NoCopy> {
  try {
    // Once more, because it is no failure of the agent if the system refused a single call.
    return await open().catch(open);
  } catch (error) {
    const isOurs = effect.kind === 'find-living' || effect.living.some(({ uncopied }) => uncopied);
    if (!isOurs && !(await canBeCopied(effect.base, ports))) throw error;
    return { why: oneLine((error as Error).message), isOurs };
  }
}

async function canBeCopied(tree: string, { history }: Ports): Promise<boolean> {
  try {
    await using _copy = await history.checkOut(tree);
    return true;
  } catch {
    return false;
  }
}

/** If no copy could ever be made, green gates where the agent worked are enough, and the result says so. */
function withoutACopy({ key, iteration, attempt, tree }: Prove, { why, isOurs }: NoCopy): ProofJudged {
  const reason = `No clean copy can be used: ${why}`;
  const nothing = { results: [], changed: [], allowed: [], gates: [] };
  return { type: 'proof.judged', ...{ key, iteration, attempt, tree, reason, ...nothing }, verdict: isOurs ? 'proven' : 'red', level: 'place' };
}

type Asked = Pick<Prove, 'base' | 'moved'>;

/** The tree that the run started with, plus what a person has committed since. */
async function readBase({ base, moved }: Asked, { history, place, settings }: Ports): Promise<TreeSight> {
  const files = await filesOf(base, history);
  // If agents work in the operator's own repository, nobody can tell whose a commit is.
  if (moved === undefined || settings.wall.workspace !== 'isolated') return await repositoryOf(files, history);
  const [from, to] = await Promise.all([moved.from, moved.to].map((commit) => filesOf(commit, history).catch(() => null)));
  if (!from || !to) return await repositoryOf(files, history);
  return await repositoryOf(withCommits(files, { from, to, isTouched: await touchedBy(place.runFolder) }), history);
}

interface Moved {
  readonly from: Files;
  readonly to: Files;
  /** Whether an agent has changed it: then a commit does not tell whose version it is. */
  readonly isTouched: (path: string) => boolean;
}

/** Takes each path from HEAD that has changed there and that no agent has touched. */
function withCommits(base: Files, { from, to, isTouched }: Moved): Files {
  const files = new Map(base);
  for (const { path } of changesBetween(from, to)) {
    const file = to.get(path);
    if (isTouched(path)) continue;
    if (file === undefined) files.delete(path);
    else files.set(path, file);
  }
  // In git's order, like all lists of files.
  return new Map([...files].toSorted(([one], [other]) => Buffer.compare(Buffer.from(one), Buffer.from(other))));
}
