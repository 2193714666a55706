import { join } from 'node:path';
import { emptyState, type RunState } from '../../../journal/state/state.ts';
import { workLogEntry } from '../../../report/views/work-log.ts';
import type { Projection } from '../../../engine/projection.ts';
import { openLogFile } from './work-log-file.ts';

/** Keeps `ralph.jsonl` in the folder of the logs (seed 000). Runs that share a plan share it: each line says whose it is. */
export function keepWorkLog(folder: string, warn: (text: string) => void): Projection {
  const file = openLogFile(join(folder, 'ralph.jsonl'), warn);
  const exitCodes = new Map<number, number>();
  let before: RunState = emptyState;
  return {
    onEvent(event, state) {
      const { body } = event;
      if (body.type === 'attempt.ended' && body.ending.kind === 'exited') exitCodes.set(body.iteration, body.ending.code);
      const entry = workLogEntry(event, before, state, exitCodes);
      before = state;
      if (body.type === 'iteration.closed') exitCodes.delete(body.iteration);
      if (entry !== null) file.add(`${JSON.stringify({ timestamp: new Date(event.at).toISOString(), ...entry })}\n`);
    },
    close: file.close,
  };
}
