import type { RunGates } from '../../../journal/effects/effect.ts';
import type { GateResult } from '../../../journal/events/gates.ts';
import type { Merge } from '../../../journal/effects/work-effect.ts';
import { attemptMarker } from '../../../engine/attempt-place.ts';
import { logNames, runGate } from '../../../proof/gate-run.ts';
import type { Ports } from '../../../engine/ports/ports.ts';
import type { Merging } from '../../../engine/ports/task-branches.ts';

/** All gates on the merged result, one after the other; after an abort no further one is begun. */
export async function runMergedGates(effect: Merge, ports: Ports, { cwd }: Merging, signal: AbortSignal): Promise<readonly GateResult[]> {
  const asGates = gatesOf(effect);
  const names = logNames(asGates);
  const marker = attemptMarker(ports.place, effect);
  const results: GateResult[] = [];
  for (const [index, gate] of effect.gates.entries()) {
    if (signal.aborted) break;
    results.push(await runGate({ gate, effect: asGates, cwd, logName: names[index] ?? '', marker }, ports, signal));
  }
  return results;
}

/** Iterations are numbered over all lanes, and attempts within them: no two merges of a run write the same log. */
function gatesOf({ key, iteration, attempt, gates, until }: Merge): RunGates {
  return {
    kind: 'run-gates',
    key,
    iteration,
    attempt,
    where: 'merged',
    gates,
    name_tree: false,
    keep_tree: false,
    phase: `merged${attempt}`,
    protect: null,
    tree: null,
    until,
  };
}
