import { assertNever } from '../kit/pure/assert-never.ts';
import type { HideSecrets } from '../kit/pure/hide-secrets.ts';
import { HIDDEN } from '../kit/pure/redact.ts';
import type { AttemptEnded, Ending } from './events/attempt.ts';
import type { GateResult, ReceiptWritten } from './events/gates.ts';
import type { EventBody } from './events/journal-event.ts';
import { isStoryEvent, isTaskEvent, isWorkEvent, type StoryEvent, type TaskEvent, type WorkEvent } from './events/recipe-events.ts';
import type { DoneFileState } from './events/task.ts';
import type { MergeProof } from './events/work.ts';
import type { Claim } from './words/claim.ts';
import type { GateLife } from './words/proof.ts';

/**
 * Removes secrets from texts that come from outside: from agents, gates and git. Ids, keys, paths, trees and numbers stay. The operator's own words stay too,
 * because a resumed run needs them: settings, answers to questions. An intent contains only texts that were masked before.
 */
export function maskEvent(hide: HideSecrets, body: EventBody): EventBody {
  if (isTaskEvent(body)) return maskTaskEvent(hide, body);
  if (isWorkEvent(body)) return maskWorkEvent(hide, body);
  if (isStoryEvent(body)) return maskStoryEvent(hide, body);
  switch (body.type) {
    case 'run.started':
      return { ...body, found: body.found && { ...body.found, problem: maskOptional(hide, body.found.problem) } };
    case 'run.stopped':
      return { ...body, outcome: { ...body.outcome, message: hide(body.outcome.message), claim: maskClaim(hide, body.outcome.claim) } };
    case 'iteration.closed':
      return { ...body, claim: maskClaim(hide, body.claim) };
    case 'attempt.spawned':
      return { ...body, command: maskWords(hide, body.command), prompt_head: hide(body.prompt_head) };
    case 'attempt.ended':
      return maskAttempt(hide, body);
    case 'gates.judged':
      return { ...body, results: maskResults(hide, body.results), problem: maskOptional(hide, body.problem) };
    case 'proof.judged':
      return { ...body, ...maskJudged(hide, body) };
    case 'living.found':
      return { ...body, gates: maskLives(hide, body.gates) };
    case 'receipt.written':
      return maskReceipt(hide, body);
    case 'commit.made':
      return { ...body, message: hide(body.message) };
    case 'commit.refused':
      return { ...body, detail: hide(body.detail) };
    case 'command.ended':
      return { ...body, argv: maskWords(hide, body.argv), ending: maskEnding(hide, body.ending), last_line: hide(body.last_line) };
    case 'limit.seen':
      return { ...body, window: maskOptional(hide, body.window) };
    case 'wall.refused':
      return { ...body, target: hide(body.target), ...(body.kept && { kept: { ref: body.kept.ref, paths: body.kept.paths.map(hide) } }) };
    case 'question.asked':
      return { ...body, question: { ...body.question, text: hide(body.question.text) } };
    case 'run.resumed':
    case 'effect.begun':
    case 'effect.lost':
    case 'iteration.opened':
    case 'paths.restored':
    case 'claim.allowed':
    case 'sealed.begun':
    case 'sealed.judged':
    case 'operator.asked':
    case 'operator.instructed':
    case 'question.answered':
    case 'settings.seen':
    case 'spec.seen':
    case 'budget.neared':
      return body;
    default:
      return assertNever(body);
  }
}

function maskAttempt(hide: HideSecrets, body: AttemptEnded): AttemptEnded {
  return {
    ...body,
    why: hide(body.why),
    ending: maskEnding(hide, body.ending),
    claim: maskClaim(hide, body.claim),
    ...(body.near_claim !== undefined && { near_claim: hide(body.near_claim) }),
    ...(body.last_words !== undefined && { last_words: hide(body.last_words) }),
    ...(body.tool_error !== undefined && { tool_error: hide(body.tool_error) }),
    message: maskOptional(hide, body.message),
    ...(body.review && { review: { ...body.review, feedback: hide(body.review.feedback), notes: hide(body.review.notes) } }),
    limit_window: maskOptional(hide, body.limit_window),
    ...(body.windows && { windows: body.windows.map((each) => ({ ...each, window: hide(each.window) })) }),
  };
}

function maskReceipt(hide: HideSecrets, body: ReceiptWritten): ReceiptWritten {
  return {
    ...body,
    ...(body.why_unsigned !== undefined && { why_unsigned: hide(body.why_unsigned) }),
    ...(body.why_no_note !== undefined && { why_no_note: hide(body.why_no_note) }),
  };
}

/** An agent asks for a child: what it passes on is masked before the child gets it. */
function maskTaskEvent(hide: HideSecrets, body: TaskEvent): TaskEvent {
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

/** The plan stays as its file has it, because it is compared with the file later. */
function maskWorkEvent(hide: HideSecrets, body: WorkEvent): WorkEvent {
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
    case 'merge.proven':
      return { ...body, results: maskResults(hide, body.results), ...maskProof(hide, body.proof) };
    case 'merge.judged':
      return {
        ...body,
        results: maskResults(hide, body.results),
        left_behind: maskOptional(hide, body.left_behind),
        detail: hide(body.detail),
        ...maskProof(hide, body.proof),
      };
    case 'task.released':
      return body.none ? { ...body, none: { ...body.none, detail: hide(body.none.detail) } } : body;
    case 'task.claimed':
    case 'task.answered':
    case 'tasks.changed':
      return body;
    default:
      return assertNever(body);
  }
}

function maskProof(hide: HideSecrets, proof: MergeProof | undefined): { readonly proof?: MergeProof } {
  return proof === undefined ? {} : { proof: { ...proof, ...maskJudged(hide, proof) } };
}

type Judged = Pick<MergeProof, 'results' | 'changed' | 'gates' | 'reason' | 'hint'>;

function maskJudged(hide: HideSecrets, { results, changed, gates, reason, hint }: Judged): Judged {
  return {
    results: maskResults(hide, results),
    changed: changed.map((each) => ({ ...each, why: hide(each.why) })),
    gates: maskLives(hide, gates),
    reason: hide(reason),
    ...(hint !== undefined && { hint: hide(hint) }),
  };
}

/** The stories stay as the loop writes them. What a reviewer says is masked before it gets there. */
function maskStoryEvent(hide: HideSecrets, body: StoryEvent): StoryEvent {
  switch (body.type) {
    case 'stories.seen':
      return { ...body, problem: maskOptional(hide, body.problem), changes: body.changes.map(hide) };
    case 'stories.settled':
      return {
        ...body,
        move: body.move && { ...body.move, feedback: hide(body.move.feedback), ...(body.move.notes && { notes: hide(body.move.notes) }) },
        accepted: body.accepted.map(hide),
        refused: body.refused.map(hide),
        problem: maskOptional(hide, body.problem),
      };
    case 'stories.recorded':
      return { ...body, problem: maskOptional(hide, body.problem) };
    case 'stop.refused':
      return { ...body, reason: hide(body.reason) };
    case 'turn.begun':
      return body;
    default:
      return assertNever(body);
  }
}

function maskDone(hide: HideSecrets, done: DoneFileState): DoneFileState {
  return done.kind === 'problem' ? { ...done, why: hide(done.why) } : done;
}

function maskOptional(hide: HideSecrets, text: string | null): string | null {
  return text === null ? null : hide(text);
}

function maskClaim(hide: HideSecrets, claim: Claim | null): Claim | null {
  return claim && { ...claim, text: hide(claim.text) };
}

function maskEnding(hide: HideSecrets, ending: Ending): Ending {
  switch (ending.kind) {
    case 'stopped':
      return { ...ending, detail: hide(ending.detail) };
    case 'never-started':
      return { ...ending, message: hide(ending.message) };
    case 'exited':
    case 'signalled':
    case 'lost':
      return ending;
    default:
      return assertNever(ending);
  }
}

/** The command is the operator's, and identifies the gate. */
function maskResults(hide: HideSecrets, results: readonly GateResult[]): GateResult[] {
  return results.map((result) => ({
    ...result,
    ending: maskEnding(hide, result.ending),
    output: hide(result.output),
    ...(result.output_end !== undefined && { output_end: hide(result.output_end) }),
  }));
}

/** The reason may quote what the gate printed. */
function maskLives(hide: HideSecrets, gates: readonly GateLife[]): GateLife[] {
  return gates.map((gate) => ({ ...gate, why: hide(gate.why) }));
}

/** Removes secrets from the words of a command line, also where a flag and its value are two words. */
export function maskWords(hide: HideSecrets, words: readonly string[]): string[] {
  return words.map((word, at) => (wantsASecret(hide, words[at - 1]) ? HIDDEN : hide(word)));
}

function wantsASecret(hide: HideSecrets, flag: string | undefined): boolean {
  return flag?.startsWith('-') === true && hide(`${flag} x`) === `${flag} ${HIDDEN}`;
}
