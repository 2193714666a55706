import type { RunState } from '../../../journal/state/state.ts';
import type { Outcome } from '../../../journal/words/outcome.ts';
import { type Line, span } from '../../../report/console/line.ts';
import { row, shorten } from '../../../report/console/look.ts';
import { plural } from '../../../report/console/spent-text.ts';
import { listed } from './supervise-child-lines.ts';

interface Ended {
  readonly outcome: Outcome;
  readonly state: RunState;
}

/** What a supervised run amounts to beside what any run does: its lives, its children, and how to go on where it only rests. */
export function superviseSummaryRows(ended: Ended): readonly Line[] {
  const { state } = ended;
  if (!state.run?.settings.supervise) return [];
  return [...jobProofRows(ended), ...restartRows(state), ...childRows(state), ...goOnRows(ended)];
}

/** A job claims nothing, so what stands behind its end is told apart. */
function jobProofRows({ outcome, state: { run } }: Ended): readonly Line[] {
  if (run?.settings.recipe !== 'job' || outcome.stop_reason !== 'completed') return [];
  const gates = run.settings.gates.map(({ command }) => shorten(command, 60)).join(', ');
  return [row('proof', outcome.unproven ? span('UNPROVEN: no check was given', 'busy') : span(`proven by: ${gates}`, 'good'))];
}

function restartRows({ run, opened, abandoned, task: { refusals } }: RunState): readonly Line[] {
  const supervise = run?.settings.supervise;
  if (!supervise || run.settings.recipe === 'job') return [];
  const refused = refusals === 0 ? '' : `, DONE refused ${refusals === 1 ? 'once' : `${refusals} times`}`;
  return [row('restarts', span(`${opened - abandoned} of ${supervise.maxRestarts}${refused}`))];
}

function childRows({ children: { started, refused, outlived, active } }: RunState): readonly Line[] {
  if (started.length + refused.length + active.length === 0) return [];
  const counts = [`${started.length} started`, ...(refused.length === 0 ? [] : [`${refused.length} refused`])].join(', ');
  const late = outlived.length === 0 ? [] : [span(`, ${plural(outlived.length, 'run')} outlived the wait`, 'busy')];
  const left = active.length === 0 ? [] : [span(`, still at work: ${listed(active)}`, 'bad')];
  return [row('children', span(counts), ...late, ...left)];
}

/** A run that waits is not over. */
export function goOnRows({ outcome, state: { run } }: Ended): readonly Line[] {
  if (outcome.stop_reason !== 'waiting' || !run?.settings.supervise) return [];
  return [row('go on', span(`ralph runs resume ${run.id}`, 'strong'))];
}
