import { assertNever } from '../../kit/pure/assert-never.ts';
import { attemptId, type Effect } from '../effects/effect.ts';
import { endingText } from '../ending-text.ts';
import type { EventBody, JournalEvent } from '../events/journal-event.ts';
import { isStoryEvent, isTaskEvent, isWorkEvent } from '../events/recipe-events.ts';
import type { CommandEnded, CommitMade, CommitRefused } from '../events/scm.ts';
import type { SandboxRefusals } from '../state/sandbox-refusals.ts';
import type { OpenIteration, RunState } from '../state/state.ts';
import { afterAgentsResumed, afterAnswerOf, afterAuthor, afterLimitOfOne, afterWindows, passedOn } from './agents.ts';
import { afterAttempt, afterEffectBegun, afterLimit } from './attempts.ts';
import { afterAllowed, afterGates, afterLivingFound, afterProof, afterReceipt, afterRevert, afterSealed } from './gates.ts';
import { afterCarriedOut, afterInstruction } from './instructions.ts';
import { afterClosing, afterOpening, effectInFlight, withIteration, withoutEffect } from './iterations.ts';
import { evolvedQuestions } from './questions.ts';
import { addSpending } from './spending.ts';
import { afterCause, afterStandstill } from './standstill.ts';
import { afterStoriesResumed, afterStoryGates, afterStoryReceipt, afterTurnClosed, evolvedStories } from './stories.ts';
import { afterLife, afterLifeClosed, afterTaskResumed, evolvedTask } from './task.ts';
import { afterTaskClosed, afterTaskReceipt, afterWorkAttempt, afterWorkResumed, evolvedWork } from './work.ts';

type LeaveRequest = NonNullable<RunState['leaving']>['what'];

/** The only way state changes, live and on replay. It uses no clock, no random numbers and no files. */
export function evolve(state: RunState, event: JournalEvent): RunState {
  const next = afterCarriedOut(state, evolved(state, event), event);
  return { ...next, time: { ...next.time, lastMs: event.at } };
}

function evolved(state: RunState, event: JournalEvent): RunState {
  const { body, at } = event;
  if (isTaskEvent(body)) return evolvedTask(state, body, at);
  if (isWorkEvent(body)) return evolvedWork(state, body, at);
  if (isStoryEvent(body)) return evolvedStories(state, body, at);
  if (body.type === 'question.asked' || body.type === 'question.answered') return evolvedQuestions(state, body, at);
  switch (body.type) {
    case 'run.started':
      return afterStart(state, body, at);
    case 'run.resumed':
      return afterResume(state, body, at);
    case 'run.stopped':
      return { ...state, stopped: body.outcome };
    case 'effect.begun':
      return afterEffectBegun({ ...state, inFlight: [...state.inFlight, body.effect] }, body.effect);
    case 'effect.lost':
      return afterLostEffect(state, body.key);
    case 'iteration.opened':
      return afterOpening(state, body, at);
    case 'iteration.closed':
      return afterIteration(state, body, at);
    case 'attempt.spawned':
      return {
        ...state,
        spawned: [...state.spawned, { attempt: body.attempt, host: body.host, bootId: body.boot_id, pid: body.pid, startTime: body.start_time }],
      };
    case 'attempt.ended':
      return afterEndedAttempt(withoutEffect(state, body.key), body, at);
    case 'gates.judged':
      return afterStoryGates(afterGates(withoutEffect(state, body.key), body), body);
    case 'living.found':
      return afterLivingFound(withoutEffect(state, body.key), body);
    case 'proof.judged':
      return afterProof(withoutEffect(state, body.key), body);
    case 'claim.allowed':
      return afterAllowed(state, body, at);
    case 'sealed.begun':
    case 'sealed.judged':
      return afterSealed(state, body);
    case 'commit.made':
      return afterCommit(withoutEffect(state, body.key), body, effectInFlight(state, body.key));
    case 'commit.refused':
      return afterRefusal(withoutEffect(state, body.key), body);
    case 'command.ended':
      return afterCommand(withoutEffect(state, body.key), body, effectInFlight(state, body.key));
    case 'paths.restored':
      return afterRevert(withoutEffect(state, body.key), body);
    case 'receipt.written':
      return afterAnyReceipt(withoutEffect(state, body.key), body);
    case 'budget.neared':
      return { ...state, budgetNearMs: at };
    case 'limit.seen':
    case 'settings.seen':
    case 'spec.seen':
      return state;
    case 'wall.refused':
      return { ...state, refused: afterWallRefused(state.refused, body), ...keptAfter(state, body, event.at) };
    case 'operator.asked':
    case 'operator.instructed':
      return body.type === 'operator.asked' ? afterOperatorRequest(state, body) : afterInstruction(state, body, at);
    default:
      return assertNever(body);
  }
}

function afterAnyReceipt(state: RunState, body: EventOf<'receipt.written'>): RunState {
  if (body.task === undefined) return afterReceipt(state, body);
  return (state.stories.plan === null ? afterTaskReceipt : afterStoryReceipt)(state, body);
}

function afterIteration(state: RunState, body: EventOf<'iteration.closed'>, atMs: number): RunState {
  const iteration = state.open.find(({ number }) => number === body.iteration);
  return afterClosed(afterClosing(afterStandstill(state, iteration, body.result), body, atMs), iteration);
}

function afterClosed(state: RunState, iteration: OpenIteration | undefined): RunState {
  const closed = state.closed.at(-1);
  return afterTurnClosed(afterTaskClosed(afterLifeClosed(state, closed), iteration, closed), iteration, closed);
}

/** The processes of a lost effect were ended before it was journaled as lost. */
function afterLostEffect(state: RunState, key: string): RunState {
  const lost = state.inFlight.find((effect) => effect.key === key);
  return lost?.kind === 'run-agent' ? forgetAgent(withoutEffect(state, key), lost) : withoutEffect(state, key);
}

function forgetAgent(state: RunState, which: { readonly iteration: number; readonly attempt: number }): RunState {
  return { ...state, spawned: state.spawned.filter((agent) => agent.attempt !== attemptId(which)) };
}

/** Pausing does not cancel a drain or an abort. */
function afterOperatorRequest(state: RunState, { what, by }: Extract<EventBody, { type: 'operator.asked' }>): RunState {
  if (what === 'pause' || what === 'go-on') return { ...state, paused: what === 'pause' };
  return { ...state, leaving: state.leaving ? { ...state.leaving, what: strongerRequest(state.leaving.what, what) } : { what, by } };
}

/** A later drain does not weaken an abort. */
function strongerRequest(before: LeaveRequest, now: LeaveRequest): LeaveRequest {
  return before === 'abort' ? before : now;
}

function afterEndedAttempt(state: RunState, told: EventOf<'attempt.ended'>, atMs: number): RunState {
  const body = passedOn(state, told);
  const ended = afterCause(afterWorkAttempt(afterLife(afterAttempt(addSpending(forgetAgent(state, body), body), body), body), body, atMs), body);
  const next = afterWindows(afterAuthor({ ...ended, ...(body.day && { day: body.day }), ...(body.fleet && { fleet: body.fleet }) }, body), body, atMs);
  if (body.verdict === 'limited') return body.agent === undefined ? afterLimit(next, body, atMs) : afterLimitOfOne(next, told, body.agent, atMs);
  const answered = afterAnswerOf(next, body.agent, atMs);
  return body.verdict === 'fatal' && isNeeded(state, body) ? { ...answered, fatal: { why: body.why, exitCode: body.exit_code_if_fatal ?? 4 } } : answered;
}

/** A fatal reviewer ends a run on stories, which cannot go on without one. Any other review can be skipped. */
function isNeeded({ open }: RunState, { role, iteration }: Extract<EventBody, { type: 'attempt.ended' }>): boolean {
  return role === 'work' || open.some(({ number, turn }) => number === iteration && turn !== null);
}

type EventOf<T extends EventBody['type']> = Extract<EventBody, { type: T }>;

function afterStart(state: RunState, body: EventOf<'run.started'>, atMs: number): RunState {
  return {
    ...state,
    run: { id: body.run, ralph: body.ralph, startedAtMs: atMs, settings: body.settings, sitting: 1 },
    work: { baseline: body.found?.tree ?? null, seen: false },
    startTree: body.found?.tree ?? null,
    ...(body.found?.head != null && { startHead: body.found.head }),
    ...((body.found?.dirty_count ?? 0) > 0 && { isDirtyAtStart: true }),
    time: { beforeMs: 0, sittingFromMs: atMs, lastMs: atMs },
  };
}

/** A new sitting: requests to the previous one no longer count. */
function afterResume({ cause: _, standstill: __, fleet: ___, ...state }: RunState, body: EventOf<'run.resumed'>, atMs: number): RunState {
  return {
    ...afterStoriesResumed(afterWorkResumed(afterTaskResumed(afterAgentsResumed(state)))),
    run: state.run && { ...state.run, sitting: state.run.sitting + 1 },
    leaving: null,
    fatal: null,
    // Run the baseline again if no iteration was opened yet (a refused witness gets another chance), and always for stories.
    baseline: state.opened === 0 || state.stories.plan !== null ? null : state.baseline,
    stopped: null,
    // What is left of a wait is allowed or not, as if the limit were met now.
    limit: { ...state.limit, waitedMs: Math.max(0, state.limit.untilMs - atMs) },
    time: {
      ...state.time,
      beforeMs: state.time.beforeMs + (Math.max(state.time.lastMs, body.worked_until ?? 0) - state.time.sittingFromMs),
      sittingFromMs: atMs,
    },
  };
}

type WallRefused = Extract<EventBody, { type: 'wall.refused' }>;

/** Bounds the memory when an agent tries to reach very many hosts. */
const MOST_KEPT = 50;

function afterWallRefused(refused: SandboxRefusals, { what, target }: WallRefused): SandboxRefusals {
  return { count: refused.count + 1, first: refused.count < MOST_KEPT ? [...refused.first, { what, target }] : refused.first };
}

const MOST_KEPT_FILES = 20;

function keptAfter({ keptFiles = [] }: RunState, { kept }: WallRefused, atMs: number): Pick<RunState, 'keptFiles'> {
  return kept === undefined ? {} : { keptFiles: [...keptFiles, { ...kept, atMs }].slice(-MOST_KEPT_FILES) };
}

/** How often in one iteration the gates run again because the workspace changed before a commit. */
const MOST_REFUSALS = 3;

/** The work is committed. If a hook changed it, the gates have not judged the result yet. */
function afterCommit(state: RunState, body: CommitMade, effect: Effect | undefined): RunState {
  const commits = { count: state.commits.count + 1, last: { commit: body.commit, tree: body.tree, message: body.message }, problem: null };
  return withIteration({ ...state, commits }, body.iteration, (iteration) => {
    const asSeen = iteration.judged !== null && body.tree === (iteration.judged.commitTree ?? iteration.judged.tree);
    const judged = asSeen && iteration.judged ? { ...iteration.judged, head: body.commit, headTree: body.tree } : null;
    return { ...withTaskDone(iteration, effect), judged };
  });
}

/** A changed workspace is judged again, a few times. Any other refusal ends the SCM tasks of this iteration, but not the run. */
function afterRefusal(state: RunState, body: CommitRefused): RunState {
  const refusals = (state.open.find(({ number }) => number === body.iteration)?.scm.refusals ?? 0) + 1;
  if (body.reason === 'changed' && refusals < MOST_REFUSALS) {
    return withIteration(state, body.iteration, (iteration) => ({ ...iteration, judged: null, scm: { ...iteration.scm, refusals } }));
  }
  const changed = withProblem(state, body.iteration, body.detail);
  return body.reason === 'no-message' ? changed : judgeAgainUnlessUntouched(changed, body.iteration, body.tree);
}

function afterCommand(state: RunState, body: CommandEnded, effect: Effect | undefined): RunState {
  const { ending, argv, last_line } = body;
  if (ending.kind === 'exited' && ending.code === 0) {
    const done = withIteration({ ...state, commits: { ...state.commits, problem: null } }, body.iteration, (iteration) => withTaskDone(iteration, effect));
    return body.tree === null ? done : judgeAgainUnlessUntouched(done, body.iteration, body.tree);
  }
  const what = `${argv.join(' ')}: ${endingText(ending)}`;
  return withProblem(state, body.iteration, last_line === '' ? what : `${what}: ${last_line}`);
}

/** Unless the workspace is known to be what the gates judged, they must run again before anything is accepted. */
function judgeAgainUnlessUntouched(state: RunState, iteration: number, tree: string | null): RunState {
  return withIteration(state, iteration, (open) => {
    const untouched = tree !== null && (tree === open.judged?.tree || tree === open.judged?.treeAfter);
    return untouched ? open : { ...open, judged: null };
  });
}

function withProblem(state: RunState, iteration: number, problem: string): RunState {
  const changed = { ...state, commits: { ...state.commits, problem } };
  return withIteration(changed, iteration, (open) => ({ ...open, scm: { ...open.scm, over: true } }));
}

function withTaskDone(iteration: OpenIteration, effect: Effect | undefined): OpenIteration {
  const done = effect?.kind === 'commit' || effect?.kind === 'run-command' ? effect.task + 1 : iteration.scm.next;
  return { ...iteration, scm: { ...iteration.scm, next: done } };
}
