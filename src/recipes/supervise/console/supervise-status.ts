import type { RunState } from '../../../journal/state/state.ts';
import { shorten } from '../../../report/console/look.ts';

const NAMES_CHARS = 60;

/** Which life it is; of the run as a whole there is nothing to say. */
export function lifeText(iteration: number, { run, opened, abandoned }: RunState): readonly string[] {
  if (iteration === 0 || run?.settings.recipe === 'job') return [];
  return [`attempt ${opened - abandoned}/${run?.settings.supervise?.maxRestarts ?? 0}`];
}

/** What a supervised run waits for while nothing of it is in flight, and since when; null: for nothing that is worth a word. */
export function restText({ children, task, opened }: RunState): { readonly what: string; readonly sinceMs: number | null } | null {
  const { active, awaitedSinceMs } = children;
  if (awaitedSinceMs !== null && active.length > 0)
    return { what: `waiting for ${active.length === 1 ? '1 child' : `${active.length} children`}`, sinceMs: awaitedSinceMs };
  if (opened > 0 || task.blockedBy.length === 0) return null;
  return { what: `blocked by ${shorten(task.blockedBy.map(({ task: name }) => name).join(', '), NAMES_CHARS)}`, sinceMs: null };
}
