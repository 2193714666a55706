import type { Effect, RunAgent, RunGates } from '../../journal/effects/effect.ts';
import type { EventBody } from '../../journal/events/journal-event.ts';
import { instructionText } from '../../journal/words/instruction.ts';
import { formatDuration } from '../../kit/pure/amounts.ts';
import { assertNever } from '../../kit/pure/assert-never.ts';
import type { RunLimits } from '../../settings/schema/run-settings.ts';
import { reviewBegunLines } from './attempt-lines.ts';
import { baselineBegunLines, cleanBegunLines } from './gates/gate-lines.ts';
import { provingLines } from './gates/proof-lines.ts';
import { blank, type Line, prose, span } from './line.ts';
import { type Change, shorten } from './look.ts';
import { commandBegunLines, commitBegunLines, messageAskedLines } from './scm-lines.ts';

const QUIET = [
  'put-back',
  'write-receipt',
  'look-at-task',
  'refuse-done',
  'post',
  'take-task',
  'settle-plan',
  'bring-base',
  'release-task',
  'answer-task',
  'close-workspace',
  'look-at-stories',
  'settle-stories',
  'record-stories',
] as const satisfies readonly Effect['kind'][];

type Quiet = Extract<Effect, { kind: (typeof QUIET)[number] }>;

/** An effect that ends before anybody could read a line about it. */
export const isQuiet = (effect: Effect): effect is Quiet => QUIET.some((kind) => kind === effect.kind);

/** Announces an effect when the next line would not make it obvious. */
export function begunLines(effect: Effect, change: Change): readonly Line[] {
  if (isQuiet(effect)) return [];
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
    case 'start-child':
    case 'end-children':
    case 'open-workspace':
    case 'merge':
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
  return effect.attempt === 1 ? insteadLines(effect) : [blank, prose(span(`Attempt ${effect.attempt} of iteration ${effect.iteration}`, 'accent'))];
}

/** Told where another agent gets a chance, because those before it came to the same again and again. */
export function insteadLines({ agent, instead_of }: RunAgent): readonly Line[] {
  if (agent === undefined || instead_of === undefined) return [];
  return [prose(span(`No progress: ${shorten(agent, 40)} works on this one instead of ${shorten(instead_of, 40)}.`, 'busy'))];
}

/** What a person has told the run while it works. */
export function instructedLines({ instruction, by }: Extract<EventBody, { type: 'operator.instructed' }>): readonly Line[] {
  return [blank, prose(span(`${shorten(by, 40)}: ${shorten(instructionText(instruction), 200)}`, 'strong'))];
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
