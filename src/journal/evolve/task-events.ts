import { assertNever } from '../../kit/pure/assert-never.ts';
import type { TaskEvent } from '../events/task-event.ts';
import type { RunState } from '../state/state.ts';
import {
  afterChildAsked,
  afterChildRefused,
  afterChildrenAwaited,
  afterChildrenEnded,
  afterChildrenOutlived,
  afterChildrenSeen,
  afterChildStarted,
} from './children.ts';
import { begunAs, landed } from './landed.ts';
import { afterDependencies, afterDoneRefused, afterDoneSeen, afterLook } from './task.ts';

/** What only a root agent's run has: its task folder, its children, its messages. */
export function evolvedTask(state: RunState, body: TaskEvent, atMs: number): RunState {
  switch (body.type) {
    case 'task.seen':
      return afterLook(landed(state, body.key), body, begunAs(state, body.key), atMs);
    case 'done.seen':
      return afterDoneSeen(state, body, atMs);
    case 'done.refused':
      return afterDoneRefused(landed(state, body.key));
    case 'dependencies.seen':
      return afterDependencies(state, body);
    case 'child.asked':
      return afterChildAsked(state, body);
    case 'child.started':
      return afterChildStarted(landed(state, body.key), body, begunAs(state, body.key));
    case 'child.refused':
      return afterChildRefused(landed(state, body.key), body);
    case 'children.seen':
      return afterChildrenSeen(state, body.active);
    case 'children.awaited':
      return afterChildrenAwaited(state, atMs);
    case 'children.outlived':
      return afterChildrenOutlived(state, body);
    case 'children.ended':
      return afterChildrenEnded(landed(state, body.key), body, begunAs(state, body.key));
    case 'posted':
      return { ...landed(state, body.key), task: { ...state.task, completionPosted: true } };
    default:
      return assertNever(body);
  }
}
