import { assertNever } from '../../kit/pure/assert-never.ts';
import type { Effect, RunAgent, RunGates } from '../../journal/effects/effect.ts';
import type { Change } from './change.ts';
import { baselineBegunLines, cleanBegunLines } from './check-lines.ts';
import { blank, type Line, prose, span } from './line.ts';
import { reviewBegunLines } from './review-lines.ts';
import { commandBegunLines, commitBegunLines, messageAskedLines } from './scm-lines.ts';

/** What is about to be done, where that is not plain from what comes next. */
export function begunLines(effect: Effect, change: Change): readonly Line[] {
  switch (effect.kind) {
    case 'run-agent':
      return agentBegunLines(effect, change);
    case 'run-gates':
      return gatesBegunLines(effect);
    case 'commit':
      return commitBegunLines;
    case 'run-command':
      return commandBegunLines(effect.argv);
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
