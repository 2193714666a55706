import type { OpenIteration } from '../state/state.ts';
import type { CurrentTask } from '../state/work-state.ts';
import { type Cause, causeText } from '../words/outcome.ts';

/** Why a task is not done, for people; null when its agent succeeded and made no claim. */
export function whyNotDone(open: OpenIteration, held: CurrentTask): string | null {
  if (held.released === 'conflict') return `conflict: ${held.merge?.conflicts.join(', ') || held.settled?.problem || 'not resolved'}`;
  if (held.isClaimed) return `reported complete, not proven: ${whyUnproven(open, held)}`;
  if (held.problem !== null) return held.problem;
  return open.last?.verdict === 'ok' ? null : failureText(`${open.last?.why || 'the agent failed'}${timesText(held)}`, open.last?.cause);
}

/** Why an attempt failed, with its cause: the same words on every page. */
export function failureText(why: string, cause: Cause | undefined): string {
  const told = why || 'the agent failed';
  return cause === undefined ? told : `${told.replace(/\.$/, '')}, cause: ${causeText(cause)}`;
}

function timesText({ crashes }: CurrentTask): string {
  return crashes === undefined || crashes.count < 2 ? '' : ` (${crashes.count} times in a row)`;
}

function whyUnproven({ judged }: OpenIteration, { merge, settled }: CurrentTask): string {
  const red = judged?.checks.filter(({ green }) => !green).map(({ command, line }) => (line === '' ? command : `${command}: ${line}`)) ?? [];
  return red.join('; ') || merge?.proof?.reason || merge?.detail || settled?.problem || 'red on the merged result';
}
