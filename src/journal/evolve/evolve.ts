import { assertNever } from '../../kit/pure/assert-never.ts';
import { factsOf } from '../../settings/schema/recipe-facts.ts';
import type { RecipeName } from '../../settings/schema/run-settings.ts';
import { attemptId, type Effect } from '../effects/effect.ts';
import { endingText } from '../ending-text.ts';
import type { EventBody, JournalEvent } from '../events/journal-event.ts';
import { isFact } from '../events/journal-event.ts';
import { type BodyOf, isStoryEvent, isTaskEvent, isWorkEvent, lookUp } from '../events/recipe-events.ts';
import type { CommandEnded, CommitMade, CommitRefused } from '../events/scm.ts';
import type { SandboxRefusals } from '../state/sandbox-refusals.ts';
import type { OpenIteration, RunState } from '../state/state.ts';
import { afterAgentsResumed, afterAnswerOf, afterLimitOfOne, afterWindows, passedOn } from './agents.ts';
import { afterAttempt, afterEffectBegun, afterLimit } from './attempts.ts';
import { afterAllowed, afterGates, afterLivingFound, afterProof, afterReceipt, afterRevert, afterSealed } from './gates.ts';
import { afterCarriedOut, afterInstruction } from './instructions.ts';
import { afterClosing, afterOpening, effectInFlight, type OwnFold, openIn, withIteration } from './iterations.ts';
import { evolvedQuestions } from './questions.ts';
import { addSpending } from './spending.ts';
import { afterCause, afterStandstill } from './standstill.ts';
import { ofStories } from './stories.ts';
import { ofTaskFolder } from './task.ts';
import { ofPlan } from './work.ts';

type LeaveRequest = NonNullable<RunState['leaving']>['what'];

/** What only the runs of a recipe know, beside what every run knows. */
const OWN: Readonly<Record<RecipeName, OwnFold>> = { run: {}, loop: {}, supervise: ofTaskFolder, job: ofTaskFolder, work: ofPlan, stories: ofStories };

/** The only way state changes, live and on replay. It uses no clock, no random numbers and no files. */
export function evolve(state: RunState, event: JournalEvent): RunState {
  const { body, at } = event;
  const common = evolved(withoutItsEffect(state, body), event, state);
  const told = body.type === 'attempt.ended' ? passedOn(state, body) : body;
  const own = common.run && lookUp(OWN[common.run.settings.recipe], told, common, { before: state, atMs: at });
  const next = afterCarriedOut(state, own ?? common, event);
  return { ...next, time: { ...next.time, lastMs: at } };
}

/** A fact ends the time in flight of its effect, as its loss does. */
function withoutItsEffect(state: RunState, body: EventBody): RunState {
  return isFact(body) || body.type === 'effect.lost' ? { ...state, inFlight: state.inFlight.filter(({ key }) => key !== body.key) } : state;
}

function evolved(state: RunState, { body, at }: JournalEvent, before: RunState): RunState {
  if (isTaskEvent(body) || isWorkEvent(body) || isStoryEvent(body)) return state;
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
      return afterLostEffect(state, effectInFlight(before, body.key));
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
      return afterEndedAttempt(state, body, at);
    case 'gates.judged':
      return afterGates(state, body);
    case 'living.found':
      return afterLivingFound(state, body);
    case 'proof.judged':
      return afterProof(state, body);
    case 'claim.allowed':
      return afterAllowed(state, body, at);
    case 'sealed.begun':
    case 'sealed.judged':
      return afterSealed(state, body);
    case 'commit.made':
      return afterCommit(state, body, effectInFlight(before, body.key));
    case 'commit.refused':
      return afterRefusal(state, body);
    case 'command.ended':
      return afterCommand(state, body, effectInFlight(before, body.key));
    case 'paths.restored':
      return afterRevert(state, body);
    case 'receipt.written':
      return body.task === undefined ? afterReceipt(state, body) : state;
    case 'budget.neared':
      return { ...state, budgetNearMs: at };
    case 'limit.seen':
    case 'settings.seen':
    case 'spec.seen':
      return state;
    case 'wall.refused':
      return { ...state, refused: afterWallRefused(state.refused, body), ...keptAfter(state, body, at) };
    case 'operator.asked':
    case 'operator.instructed':
      return body.type === 'operator.asked' ? afterOperatorRequest(state, body) : afterInstruction(state, body, at);
    default:
      return assertNever(body);
  }
}

function afterIteration(state: RunState, body: BodyOf<'iteration.closed'>, atMs: number): RunState {
  return afterClosing(afterStandstill(state, openIn(state, body.iteration), body.result), body, atMs);
}

/** The processes of a lost effect were ended before it was journaled as lost. */
function afterLostEffect(state: RunState, lost: Effect | undefined): RunState {
  return lost?.kind === 'run-agent' ? forgetAgent(state, lost) : state;
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

function afterEndedAttempt(state: RunState, told: BodyOf<'attempt.ended'>, atMs: number): RunState {
  const body = passedOn(state, told);
  const ended = afterCause(afterAttempt(addSpending(forgetAgent(state, body), body), body), body);
  const next = afterWindows({ ...ended, ...(body.day && { day: body.day }), ...(body.fleet && { fleet: body.fleet }) }, body, atMs);
  if (body.verdict === 'limited') return body.agent === undefined ? afterLimit(next, body, atMs) : afterLimitOfOne(next, told, body.agent, atMs);
  const answered = afterAnswerOf(next, body.agent, atMs);
  return body.verdict === 'fatal' && isNeeded(state, body) ? { ...answered, fatal: { why: body.why, exitCode: body.exit_code_if_fatal ?? 4 } } : answered;
}

/** A fatal reviewer ends a run on stories, which cannot go on without one. Any other review can be skipped. */
function isNeeded({ run }: RunState, { role }: BodyOf<'attempt.ended'>): boolean {
  return role === 'work' || factsOf(run?.settings).hasStories;
}

function afterStart(state: RunState, body: BodyOf<'run.started'>, atMs: number): RunState {
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
function afterResume({ cause: _, standstill: __, fleet: ___, ...state }: RunState, body: BodyOf<'run.resumed'>, atMs: number): RunState {
  return {
    ...afterAgentsResumed(state),
    run: state.run && { ...state.run, sitting: state.run.sitting + 1 },
    paused: false,
    leaving: null,
    fatal: null,
    // Run the baseline again if no iteration was opened yet: a refused witness gets another chance.
    baseline: state.opened === 0 ? null : state.baseline,
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
  const refusals = (openIn(state, body.iteration)?.scm.refusals ?? 0) + 1;
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
