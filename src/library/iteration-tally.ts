import type { GateResult } from '../journal/events/gates.ts';
import type { JournalEvent } from '../journal/events/journal-event.ts';
import type { ClosedIteration, RunState } from '../journal/state/state.ts';
import { checkMessage } from '../proof/judge/feedback.ts';
import type { CheckResult, LoopIteration } from './loop-result.ts';

/** Assembles iterations from journal events as they are written. */
export interface IterationTally {
  /** The iteration that this event closed; null for all other events. `state` is the state after the event. */
  add(event: JournalEvent, state: RunState): LoopIteration | null;
}

const OUTPUT_CHARS = 2000;

export function openIterationTally(): IterationTally {
  const judged = new Map<number, readonly GateResult[]>();
  return {
    add({ body }, state) {
      if (body.type === 'gates.judged') judged.set(body.iteration, body.results);
      if (body.type !== 'iteration.closed') return null;
      const closed = state.closed.findLast(({ number }) => number === body.iteration);
      const results = judged.get(body.iteration) ?? [];
      judged.delete(body.iteration);
      return closed ? iterationOf(closed, results.map(checkResult)) : null;
    },
  };
}

function iterationOf({ claim, entry }: ClosedIteration, checkResults: readonly CheckResult[]): LoopIteration {
  return {
    iteration: entry.iteration,
    stepsTaken: entry.steps,
    cost: entry.costUsd ?? 0,
    costKnown: entry.costUsd !== null,
    duration: entry.durationMs / 1000,
    checkResults,
    allChecksPassed: checkResults.length > 0 && checkResults.every(({ passed }) => passed),
    completionTagFound: claim !== null,
    error: entry.error,
  };
}

/** The output of a red check is what the next prompt contains. */
export function checkResult({ gate, green, flaky, ending, output, duration_ms }: GateResult): CheckResult {
  const told = green ? output : checkMessage({ ending, output, chars: OUTPUT_CHARS });
  return { name: gate.command, passed: green, output: told, flaky, duration: duration_ms / 1000 };
}
