import { resolve } from 'node:path';
import { emptyState, type RunState } from '../journal/state/state.ts';
import { restartNumber } from '../recipes/supervise/bus-posts-of-a-life.ts';
import type { JournalEvent } from '../journal/events/journal-event.ts';
import { resumeRun } from '../runs/resume-run.ts';
import type { Projection, RunOptions } from '../runs/run-options.ts';
import { startSupervise } from '../recipes/supervise/start/start-root.ts';
import { carefulListener } from './careful-listener.ts';
import { openRootAgent } from './supervise-root-agent.ts';
import type { CheckedOptions } from './supervise-root-checked.ts';
import type { SuperviseOptions } from './supervise-root-options.ts';
import { resultOfRoot, type SuperviseResult } from './supervise-root-result.ts';
import { checkOptions, placeIn, wishOf } from './supervise-root-wish.ts';

/**
 * Runs a root agent again and again until its task folder says DONE, and waits for its children then (seed 002's RalphLoop). Every ending is a
 * result, also that of one that was run too often; it rejects, with an OperatorError as a rule, only when it could not start or go on. It
 * prints nothing and leaves the process's signals alone.
 */
export async function superviseRoot(options: SuperviseOptions): Promise<SuperviseResult> {
  const checked = checkOptions(options);
  const place = placeIn(checked);
  const followed = openFollowing(carefulListener('superviseRoot', checked.onEvent));
  const around = aroundRoot(checked, followed);
  const finished = await (checked.resume
    ? resumeRun({ ...around, run: checked.resume, where: place })
    : startSupervise({ ...around, ...wishOf(checked, place) }));
  return resultOfRoot(finished, followed.state());
}

function aroundRoot({ runRoot, workspaceRoot, signal }: CheckedOptions, { state, projection }: Following): RunOptions {
  const warn = (text: string) => process.emitWarning(text);
  return {
    cwd: resolve(workspaceRoot ?? '.'),
    projections: () => [projection],
    obeySignals: false,
    signal: signal ?? new AbortController().signal,
    warn,
    openAgent: (_agent, env) => openRootAgent({ runRoot, attempt: () => restartNumber(state()), env, warn }),
  };
}

interface Following {
  readonly projection: Projection;
  readonly state: () => RunState;
}

/** Knows where the run is: a life is told its number, and the caller every event. */
function openFollowing(tell: (event: JournalEvent) => void): Following {
  let latest = emptyState;
  return {
    state: () => latest,
    projection: {
      onEvent(event, state) {
        latest = state;
        tell(event);
      },
    },
  };
}
