import type { Effect, RunAgent, RunGates } from '../../journal/effects/effect.ts';
import type { EventBody } from '../../journal/events/journal-event.ts';
import { assertNever } from '../../kit/pure/assert-never.ts';
import { formatDuration } from '../../kit/pure/duration.ts';
import type { RunLimits } from '../../settings/schema/run-settings.ts';
import { reviewBegunLines } from './attempt-lines.ts';
import { baselineBegunLines, cleanBegunLines } from './gate-lines.ts';
import { blank, type Line, prose, span } from './line.ts';
import { type Change, shorten } from './look.ts';
import { provingLines } from './proof-lines.ts';
import { commandBegunLines, commitBegunLines, messageAskedLines } from './scm-lines.ts';

/** Announces an effect when the next line would not make it obvious. */
export function begunLines(effect: Effect, change: Change): readonly Line[] {
  switch (effect.kind) {
    case 'run-agent':
      return agentBegunLines(effect, change);
    case 'run-gates':
      return gatesBegunLines(effect);
    case 'prove':
      return provingLines;
    case 'commit':
      return commitBegunLines;
    case 'run-command':
      return commandBegunLines(effect.argv);
    case 'find-living':
    case 'put-back':
    case 'write-receipt':
    case 'look-at-task':
    case 'refuse-done':
    case 'start-child':
    case 'end-children':
    case 'post':
    case 'take-task':
    case 'open-workspace':
    case 'settle-plan':
    case 'merge':
    case 'bring-base':
    case 'release-task':
    case 'close-workspace':
    case 'look-at-stories':
    case 'settle-stories':
    case 'record-stories':
      return [];
    default:
      return assertNever(effect);
  }
}

function gatesBegunLines({ gates, where }: RunGates): readonly Line[] {
  if (gates.length === 0) return [];
  if (where === 'start') return baselineBegunLines;
  return where === 'clean' ? cleanBegunLines : [blank];
}

function agentBegunLines(effect: RunAgent, change: Change): readonly Line[] {
  if (effect.role === 'review') return reviewBegunLines(effect, change);
  if (effect.role === 'message') return messageAskedLines;
  return effect.attempt === 1 ? [] : [blank, prose(span(`Attempt ${effect.attempt} of iteration ${effect.iteration}`, 'accent'))];
}

type Asked = Extract<EventBody, { type: 'operator.asked' }>;

/** What the operator asked for, what happens now, and how to stop faster. */
export function operatorRequestLines({ what, by }: Asked, graceMs: RunLimits['graceMs'] | null): readonly Line[] {
  if (what === 'pause') return [blank, prose(span(`Paused by ${shorten(by, 40)}: what has begun continues, nothing new starts.`, 'strong'))];
  if (what === 'go-on') return [blank, prose(span(`Resumed by ${shorten(by, 40)}.`, 'strong'))];
  if (what === 'abort') return [blank, prose(span('Stopping now.', 'strong'))];
  if (!by.startsWith('SIG')) return [blank, prose(span(`Asked by ${shorten(by, 40)}, shutting down...`, 'strong'))];
  const grace = graceMs && (by === 'SIGINT' ? graceMs.sigint : graceMs.sigterm);
  const within = grace ? ` up to ${formatDuration(grace)}` : '';
  return [
    blank,
    prose(span('Received signal, shutting down...', 'strong')),
    prose(span(`Waiting${within} for running agents. ${by === 'SIGINT' ? 'Press Ctrl-C again' : 'Send a second signal'} to stop now.`, 'dim')),
  ];
}
