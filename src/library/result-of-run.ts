import { join } from 'node:path';
import { readJournalFile } from '../store/journal-file.ts';
import { evolve } from '../journal/evolve/evolve.ts';
import { emptyState } from '../journal/state/state.ts';
import type { FinishedRun } from '../runs/run-options.ts';
import { openIterationTally } from './iteration-tally.ts';
import type { LoopIteration, LoopResult } from './loop-result.ts';

/** From the journal, so that a resumed run tells of all its sittings. */
export async function resultOfRun({ outcome, view, runFolder }: FinishedRun): Promise<LoopResult> {
  const tally = openIterationTally();
  const iterations: LoopIteration[] = [];
  let state = emptyState;
  for (const event of await readJournalFile(join(runFolder, 'journal.jsonl'))) {
    state = evolve(state, event);
    const closed = tally.hear(event, state);
    if (closed) iterations.push(closed);
  }
  return {
    iterations,
    totalIterations: iterations.length,
    totalCost: state.spent.costUsd,
    costKnown: state.spent.costKnown,
    totalDuration: view.duration_ms / 1000,
    success: view.done,
    stopReason: outcome.stop_reason,
    message: outcome.message,
    worktreePath: state.run?.settings.loop?.worktree?.path ?? '',
    runId: view.run_id,
    runFolder,
    lastCommit: view.last_commit,
    commitProblem: view.scm_problem,
  };
}
