import { assertNever } from '../kit/pure/assert-never.ts';
import type { HideSecrets } from '../kit/pure/hide-secrets.ts';
import type { StoryEvent } from './events/story-event.ts';
import type { DoneSight } from './events/task.ts';
import type { TaskEvent } from './events/task-event.ts';
import type { WorkEvent } from './events/work-event.ts';
import { maskOptional, maskResults } from './mask-texts.ts';

/** A child is asked for by an agent: what it hands on is masked before the child hears it. */
export function maskTaskEvent(hide: HideSecrets, body: TaskEvent): TaskEvent {
  switch (body.type) {
    case 'task.seen':
      return { ...body, done: maskDone(hide, body.done), wait: body.wait && { ...body.wait, reason: hide(body.wait.reason) } };
    case 'done.seen':
      return { ...body, done: maskDone(hide, body.done) };
    case 'child.asked':
      return { ...body, child: { ...body.child, prompt: hide(body.child.prompt) } };
    case 'child.refused':
      return { ...body, why: hide(body.why) };
    case 'posted':
      return { ...body, problem: maskOptional(hide, body.problem) };
    case 'done.refused':
    case 'dependencies.seen':
    case 'child.started':
    case 'children.seen':
    case 'children.awaited':
    case 'children.outlived':
    case 'children.ended':
      return body;
    default:
      return assertNever(body);
  }
}

/** The plan stays as its file has it: what is read later is compared with it. */
export function maskWorkEvent(hide: HideSecrets, body: WorkEvent): WorkEvent {
  switch (body.type) {
    case 'task.taken':
      return { ...body, feedback: hide(body.feedback) };
    case 'task.none':
      return { ...body, detail: hide(body.detail) };
    case 'plan.troubled':
    case 'task.lost':
      return { ...body, why: hide(body.why) };
    case 'workspace.opened':
    case 'workspace.closed':
    case 'base.brought':
      return { ...body, problem: maskOptional(hide, body.problem) };
    case 'plan.settled':
      return { ...body, accepted: body.accepted.map(hide), refused: body.refused.map(hide), problem: maskOptional(hide, body.problem) };
    case 'merge.judged':
      return { ...body, results: maskResults(hide, body.results), left_behind: maskOptional(hide, body.left_behind), detail: hide(body.detail) };
    case 'task.claimed':
    case 'task.released':
      return body;
    default:
      return assertNever(body);
  }
}

/** The stories stay as the loop writes them; what a reviewer says of one is masked before it is put among them. */
export function maskStoryEvent(hide: HideSecrets, body: StoryEvent): StoryEvent {
  switch (body.type) {
    case 'stories.seen':
      return { ...body, problem: maskOptional(hide, body.problem), changes: body.changes.map(hide) };
    case 'stories.settled':
      return {
        ...body,
        move: body.move && { ...body.move, feedback: hide(body.move.feedback) },
        accepted: body.accepted.map(hide),
        refused: body.refused.map(hide),
        problem: maskOptional(hide, body.problem),
      };
    case 'stories.recorded':
      return { ...body, problem: maskOptional(hide, body.problem) };
    case 'question.asked':
      return { ...body, question: { ...body.question, text: hide(body.question.text) } };
    case 'stop.refused':
      return { ...body, reason: hide(body.reason) };
    case 'turn.begun':
    case 'question.answered':
      return body;
    default:
      return assertNever(body);
  }
}

function maskDone(hide: HideSecrets, done: DoneSight): DoneSight {
  return done.kind === 'problem' ? { ...done, why: hide(done.why) } : done;
}
