import type { Checkout } from '../../engine/ports/git.ts';
import type { GateResult } from '../../journal/events/gates.ts';
import type { GateLife } from '../../journal/words/proof.ts';
import type { GateSpec } from '../../settings/schema/run-settings.ts';
import type { GitCli } from '../../workspace/git/git-cli.ts';
import { testsReported } from '../canaries/tests-reported.ts';
import { resultOf } from '../gate-run.ts';
import { lifeOf } from '../prove/life.ts';
import type { LifeCopy } from '../prove/planted-run.ts';
import { MOST_OUTPUT, treeCopyIn } from '../prove/proof-copy.ts';
import { openCheckShell } from '../verify/check-shell.ts';
import { commandAt } from './command-at.ts';
import type { SeenGate } from './look-at-gates.ts';

export interface TriedGate {
  readonly green: boolean;
  /** The duration of the run without planted failures, and of those with them. */
  readonly durationMs: number;
  readonly plantedMs: number;
  /** How many tests it reports; null if it does not. */
  readonly tests: number | null;
  readonly life: GateLife;
  /** Files in which planted failures were noticed. */
  readonly alive: readonly string[];
  /** Files in which they were not noticed. */
  readonly dead: readonly string[];
  /** Files for which that is unknown. */
  readonly unknown: readonly string[];
}

export interface GateTrials extends AsyncDisposable {
  run(seen: SeenGate, signal: AbortSignal): Promise<TriedGate>;
}

/** Makes a copy of the files, with the operator's ignored ones, in which gates run without a sandbox. Disposing removes it. */
export async function openTrials({ git, tree }: { readonly git: GitCli; readonly tree: string }): Promise<GateTrials> {
  const checkout: Checkout = await git.history.checkOut(tree, { ignored: 'linked' });
  const checks = await openCheckShell('gates');
  let runs = 0;
  let spentMs = 0;
  const runOnce = async (gate: GateSpec, signal: AbortSignal): Promise<GateResult> => {
    runs += 1;
    const request = { command: commandAt(gate.command, git.topLevel, checkout.top), cwd: checkout.path, timeoutMs: gate.timeoutMs, ...checks.placeOf(runs) };
    const ran = await checks.shell.run({ ...request, maxOutputBytes: 1024 ** 3, keepChars: MOST_OUTPUT, keep: 'end', digest: false }, signal);
    spentMs += ran.durationMs;
    return resultOf(gate, ran, '');
  };
  const copy: LifeCopy = { ...(await treeCopyIn(checkout, { tree }, git.history)), runPlanted: runOnce };
  return {
    async run(seen, signal) {
      const { green, duration_ms: durationMs, output } = await runOnce(seen.gate, signal);
      spentMs = 0;
      const found = await livingIn(seen, copy, signal);
      return { green, durationMs, plantedMs: Math.round(spentMs), tests: testsReported(output.slice(-100_000)), ...found };
    },
    async [Symbol.asyncDispose]() {
      await checks[Symbol.asyncDispose]();
      await checkout[Symbol.asyncDispose]();
    },
  };
}

type Living = Pick<TriedGate, 'life' | 'alive' | 'dead' | 'unknown'>;

/** A silent file may only be hidden behind the first failure, so it is tried again by itself. */
async function livingIn({ gate, sight, planted }: SeenGate, copy: LifeCopy, signal: AbortSignal): Promise<Living> {
  const life = await lifeOf({ gate, copy, sight, before: null }, signal);
  const silent = planted.filter((path) => !life.files.includes(path));
  if (life.state === 'dead') return { life, alive: [], dead: planted, unknown: [] };
  if (life.state === 'unknown' || silent.length === 0 || signal.aborted) return { life, alive: life.files, dead: [], unknown: silent };
  const second = await lifeOf({ gate, copy, sight: { ...sight, tests: silent }, before: null }, signal);
  const rest = silent.filter((path) => !second.files.includes(path));
  const isDead = second.state === 'dead';
  return { life, alive: [...life.files, ...second.files], dead: isDead ? rest : [], unknown: isDead ? [] : rest };
}
