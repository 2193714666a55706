import type { Report } from '../../../engine/contracts.ts';
import type { TreeFile } from '../../../engine/ports/git.ts';
import type { PlanPorts } from '../../../engine/ports/ports.ts';
import type { GitProblem, Merging } from '../../../engine/ports/task-branches.ts';
import type { Merge } from '../../../journal/effects/work-effect.ts';
import type { GateResult } from '../../../journal/events/gates.ts';
import type { MergeProof } from '../../../journal/events/work.ts';
import type { ChangedDecider } from '../../../journal/words/proof.ts';
import type { HeldClaim } from '../../../journal/words/task-register.ts';
import { proofCopyIn, repositoryOf } from '../../../proof/prove/proof-copy.ts';
import { proveIn, reasonFor } from '../../../proof/prove/prove-in.ts';
import { runSealed } from '../../../proof/prove/run-sealed.ts';

interface Proving {
  readonly merging: Merging;
  readonly proof: NonNullable<Merge['proof']>;
  /** What the gates said in that checkout. */
  readonly results: readonly GateResult[];
  readonly report: Report;
}

/**
 * Proves a merged result against what it is merged onto: the base with the operator's commits and the proven work of other tasks, and nothing of this one. Its
 * gates were green in that checkout before.
 */
export async function proveMerged(
  effect: Merge,
  ports: PlanPorts,
  { merging, proof, results: clean, report }: Proving,
  signal: AbortSignal,
): Promise<MergeProof | GitProblem> {
  const files = await merging.checkOut(signal);
  if (files.kind === 'trouble') return files;
  const { key, iteration, attempt, until, gates } = effect;
  const { tree } = merging;
  const base = await repositoryOf(merging.onto, ports.history);
  const renew = async () => {
    const again = await merging.checkOut(signal);
    if (again.kind === 'trouble') throw new Error(again.why);
  };
  const checkout = { top: files.path, path: files.cwd, shared: [], renew, async [Symbol.asyncDispose]() {} };
  await using copy = await proofCopyIn(checkout, { key, iteration, attempt, until, tree, base: base.files }, ports);
  const sealedWish = { key, iteration, attempt, task: effect.task.id, runs: effect.sealed_runs ?? 0 };
  const askSealed = () => runSealed(sealedWish, { copy, ports, report }, signal);
  const seen_tests = clean.flatMap(({ gate, tests }) => (tests === undefined ? [] : [{ command: gate.command, tests }]));
  const request = { gates, base, level: proof.level, may_change: proof.mayChange, living: proof.living, seen_clean: true, seen_tests, askSealed };
  const { verdict, results, gates: lives, changed, allowed, isLiving, deciders, sealed } = await proveIn(copy, request, signal);
  const by = verdict === 'held' && proof.allowed ? await allowedBy(proof.allowed, changed, { files: copy.files, ports }) : null;
  const hint = verdict === 'sealed' && sealed?.hint ? { hint: sealed.hint } : {};
  const level = sealed?.green ? 'sealed' : isLiving ? 'living' : 'green';
  return {
    ...{ verdict, tree, level, results: [...results], changed: [...changed], allowed: [...allowed] },
    ...{ allowed_by: by, gates: [...lives], reason: reasonFor({ verdict, changed, gates: lives, results }), ...hint },
    ...{ deciders, ...(sealed && { sealed: sealed.counts }) },
  };
}

interface Now {
  readonly files: ReadonlyMap<string, TreeFile>;
  readonly ports: PlanPorts;
}

/** Who has allowed exactly these changes; null when more has changed since. */
async function allowedBy({ tree, changed: seen, allowed }: HeldClaim, changed: readonly ChangedDecider[], { files, ports }: Now): Promise<string | null> {
  const before = await ports.history.filesIn(tree).catch(() => null);
  const known = new Set(seen.map(({ path }) => path));
  const isSame = ({ path }: ChangedDecider) => known.has(path) && before?.get(path)?.id === files.get(path)?.id;
  return before !== null && changed.every(isSame) ? (allowed?.by ?? null) : null;
}
