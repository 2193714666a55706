import type { EffectHandler } from '../../engine/contracts.ts';
import type { Ports } from '../../engine/ports/ports.ts';
import type { FindLiving, Prove } from '../../journal/effects/effect.ts';
import type { ProofJudged } from '../../journal/events/gates.ts';
import type { GateLife } from '../../journal/words/proof.ts';
import { oneLine } from '../../kit/pure/text.ts';
import type { GateSpec } from '../../settings/schema/run-settings.ts';
import { lookAtGate } from '../deciders/look-at-gate.ts';
import { isUnknown, lifeOf, unknownTo } from './life.ts';
import { openLivingCache } from './living-cache.ts';
import { openProofCopy, repositoryOf } from './proof-copy.ts';
import { type Proved, proveIn, verdictOf } from './prove-in.ts';
import { readBase } from './read-base.ts';
import { runSealed } from './run-sealed.ts';

/** Before the first iteration: finds which gates are living, in a copy of the files at that time. */
export const findLiving: EffectHandler<FindLiving> = {
  async perform(effect, ports, _report, signal) {
    const base = await repositoryOf(effect.tree, ports.history);
    const below = await ports.history.below();
    // Once agents work beside it, files around the tree may be theirs.
    const cache = effect.iteration === 0 ? openLivingCache({ tree: effect.tree, below }, ports) : null;
    const seen = await Promise.all(
      effect.gates.map(async (gate) => ({ gate, sight: await lookAtGate(gate.command, below, base), life: cache?.find(gate) ?? null })),
    );
    const known = seen.flatMap(({ gate, life }) => (life === null ? [] : [gate.command]));
    const found = { type: 'living.found' as const, key: effect.key, ...(known.length > 0 && { known }) };
    // No copy is needed if every gate is unknown or was seen before.
    if (seen.every(({ gate, sight, life }) => life !== null || gate.proof !== undefined || isUnknown(sight)))
      return { ...found, gates: seen.map(({ gate, life }) => life ?? unknownTo(gate)) };
    const opened = await orNoCopy(effect, ports, () => openProofCopy(effect, ports));
    if ('why' in opened) {
      const why = `cannot be tried in a copy (${opened.why})`;
      return { ...found, gates: seen.map(({ gate, life }) => life ?? { ...unknownTo(gate, why), uncopied: true }) };
    }
    await using copy = opened;
    const lives: { readonly gate: GateSpec; readonly life: GateLife }[] = [];
    for (const { gate, sight, life } of seen) lives.push({ gate, life: life ?? (await lifeOf({ gate, copy, sight, before: null }, signal)) });
    if (!signal.aborted) await cache?.keep(lives);
    return { ...found, gates: lives.map(({ life }) => life), ...(signal.aborted && { cut_off: true }) };
  },
  find: async () => null,
};

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
      ...verdictOf(proved, { isCutOff: signal.aborted, isTooLate: isTooLate(effect, proved, ports) }),
      level: levelOf(proved),
      ...{ results: [...results], changed: [...changed], allowed: [...allowed], gates: [...gates], deciders },
      ...ofSealed(proved, signal),
      ...(signal.aborted && { cut_off: true }),
    };
  },
  find: async () => null,
};

/** A gate with planted failures that was stopped because the run's time was up has shown nothing. */
function isTooLate({ until, level }: Prove, { verdict, gates }: Proved, { clock }: Ports): boolean {
  if (verdict !== 'proven' || level !== 'living' || until === null || clock.nowMs() < until) return false;
  return gates.some(({ state }) => state === 'unknown');
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
    return await open();
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
