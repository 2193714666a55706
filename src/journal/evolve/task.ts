import { assertNever } from '../../kit/pure/assert-never.ts';
import { factsOf, taskSpecOf } from '../../settings/schema/recipe-facts.ts';
import type { Effect } from '../effects/effect.ts';
import type { AttemptEnded } from '../events/attempt.ts';
import type { EventBody } from '../events/journal-event.ts';
import type { TaskEvent } from '../events/recipe-events.ts';
import type { DoneFileState, TaskSeen } from '../events/task.ts';
import { answerKey } from '../state/questions.ts';
import type { ClosedIteration, JudgedWork, RunState } from '../state/state.ts';
import type { ChildRuns, SupervisedTask } from '../state/supervised-task.ts';
import { effectInFlight, withoutEffect } from './iterations.ts';
import { withQuestions } from './questions.ts';
import { costsNothing } from './spending.ts';

type EventOf<T extends EventBody['type']> = Extract<EventBody, { type: T }>;

/** An agent exits with this code when it does not want to be restarted (seed 002). */
export const WAIT_EXIT_CODE = 42;

const absent: DoneFileState = { kind: 'absent' };

function withTask(state: RunState, change: Partial<SupervisedTask>): RunState {
  return { ...state, task: { ...state.task, ...change } };
}

/** An earlier DONE no longer counts. */
export function afterLifeBegan(state: RunState): RunState {
  return withTask(state, { doneSinceMs: null });
}

export function afterLife(state: RunState, ended: AttemptEnded): RunState {
  const { iteration, attempt, ending } = ended;
  const waits = ending.kind === 'exited' && ending.code === WAIT_EXIT_CODE;
  return withTask(state, {
    lastLook: null,
    judged: null,
    wait: waits ? { by: 'exit-code', reason: `the agent exited with code ${WAIT_EXIT_CODE}` } : null,
    // An agent that was refused at once has left nothing to continue from.
    lastAttempt: costsNothing(ended) ? state.task.lastAttempt : { iteration, attempt },
  });
}

/** Remembers the times of failures, as many as are needed to see that there were too many. */
export function afterLifeClosed(state: RunState, closed: ClosedIteration | undefined): RunState {
  const most = taskSpecOf(state.run?.settings)?.intensity?.failures;
  if (closed?.result !== 'failed' || most === undefined) return state;
  return withTask(state, { failedAtMs: [...state.task.failedAtMs, closed.atMs].slice(-(most + 1)) });
}

function afterLook(state: RunState, seen: TaskSeen, effect: Effect | undefined, atMs: number): RunState {
  const { before, done, wait, blocked_by, bus_mark } = seen;
  const { task } = state;
  const hasRun = effect?.kind === 'look-at-task' && effect.after_an_attempt;
  const next = withTask(state, {
    lastLook: { before, done },
    looks: task.looks + 1,
    doneSinceMs: done.kind === 'absent' ? null : atMs,
    judged: null,
    // A reason in words is more useful than an exit code.
    wait: wait ?? task.wait,
    blockedBy: blocked_by,
    // The mark stays where the life began.
    busMark: hasRun ? task.busMark : bus_mark,
  });
  return withSeenChildren(next, seen.children, done.kind === 'file');
}

/** A DONE seen by a watcher. It limits how long a running agent may stay; without a running agent the run must read the folder again. */
function afterDoneSeen(state: RunState, { done }: EventOf<'done.seen'>, atMs: number): RunState {
  const isAtWork = state.inFlight.some((effect) => effect.kind === 'run-agent');
  const doneSinceMs = done.kind === 'absent' ? null : (state.task.doneSinceMs ?? atMs);
  return withTask(state, { doneSinceMs, lastLook: isAtWork ? state.task.lastLook : null });
}

function afterDependencies(state: RunState, { blocked_by }: EventOf<'dependencies.seen'>): RunState {
  return withTask(state, { blockedBy: blocked_by, lastLook: blocked_by.length === 0 ? null : state.task.lastLook });
}

/** The result of checking a DONE, for the run as a whole. The next life is told the failures, even if the loop dies before DONE is renamed. */
export function afterDoneJudged(state: RunState, { green, failures }: JudgedWork): RunState {
  return { ...withTask(state, { judged: { green, failures } }), failures };
}

/** A claim to be done cancels a request to wait. */
function afterDoneRefused(state: RunState): RunState {
  const { lastLook, refusals } = state.task;
  return withTask(state, { lastLook: lastLook && { ...lastLook, done: absent }, doneSinceMs: null, judged: null, refusals: refusals + 1, wait: null });
}

/** A new sitting reads the folder again. An agent that waited for an answer is restarted. */
export function afterTaskResumed(state: RunState): RunState {
  const { children } = state;
  return {
    ...withTask(state, { lastLook: null, judged: null, wait: null, doneSinceMs: null, failedAtMs: [] }),
    children: { ...children, asked: [], awaitedSinceMs: null, outlived: [], tried: [] },
  };
}

function afterPost(state: RunState, key: string): RunState {
  if (!state.questions.some((question) => answerKey(question) === key)) return withTask(state, { completionPosted: true });
  return withQuestions(state, (question) => (answerKey(question) === key ? { ...question, isPassedOn: true } : question));
}

/** Applies the events that only a supervised root agent has. */
export function evolvedTask(state: RunState, body: TaskEvent, atMs: number): RunState {
  switch (body.type) {
    case 'task.seen':
      return afterLook(withoutEffect(state, body.key), body, effectInFlight(state, body.key), atMs);
    case 'done.seen':
      return afterDoneSeen(state, body, atMs);
    case 'done.refused':
      return afterDoneRefused(withoutEffect(state, body.key));
    case 'dependencies.seen':
      return afterDependencies(state, body);
    case 'child.asked':
      return afterChildAsked(state, body);
    case 'child.started':
      return afterChildStarted(withoutEffect(state, body.key), body, effectInFlight(state, body.key));
    case 'child.refused':
      return afterChildRefused(withoutEffect(state, body.key), body);
    case 'children.seen':
      return afterChildrenSeen(state, body.active);
    case 'children.awaited':
      return afterChildrenAwaited(state, atMs);
    case 'children.outlived':
      return afterChildrenOutlived(state, body);
    case 'children.ended':
      return afterChildrenEnded(withoutEffect(state, body.key), body, effectInFlight(state, body.key));
    case 'posted':
      return afterPost(withoutEffect(state, body.key), body.key);
    default:
      return assertNever(body);
  }
}

/** More than any run starts, but every list in the state is bounded. */
const MOST_REMEMBERED = 10_000;

function withChildren(state: RunState, change: Partial<ChildRuns>): RunState {
  return { ...state, children: { ...state.children, ...change } };
}

function afterChildAsked(state: RunState, { child }: EventOf<'child.asked'>): RunState {
  return withChildren(state, { asked: [...state.children.asked, child] });
}

/** It counts as active from now on, even if a watcher that looked a moment earlier did not see it. */
function afterChildStarted(state: RunState, { run }: EventOf<'child.started'>, effect: Effect | undefined): RunState {
  const { active, elsewhere, started } = state.children;
  const grown = isAwaited(state, effect) ? { active: [...active.filter((id) => id !== run), run] } : { elsewhere: [...elsewhere, run].slice(-MOST_REMEMBERED) };
  return withChildren(withoutRequest(state, run), { ...grown, started: [...started, run].slice(-MOST_REMEMBERED) });
}

/** Whether the run waits for this child to end. */
function isAwaited({ run }: RunState, effect: Effect | undefined): boolean {
  const spec = taskSpecOf(run?.settings);
  const task = effect?.kind === 'start-child' ? effect.child.task : null;
  return task === null || task === spec?.task || spec?.waitScope === 'project' || (run !== null && !factsOf(run.settings).isRestarted);
}

function afterChildRefused(state: RunState, { run, why }: EventOf<'child.refused'>): RunState {
  return withChildren(withoutRequest(state, run), { refused: [...state.children.refused, { run, why }].slice(-MOST_REMEMBERED) });
}

function withoutRequest(state: RunState, run: string): RunState {
  return withChildren(state, { asked: state.children.asked.filter((child) => child.run !== run) });
}

function afterChildrenSeen(state: RunState, active: readonly string[]): RunState {
  return withChildren(state, { active });
}

function afterChildrenAwaited(state: RunState, atMs: number): RunState {
  return withChildren(state, { awaitedSinceMs: atMs });
}

function afterChildrenOutlived(state: RunState, { active }: EventOf<'children.outlived'>): RunState {
  return withChildren(state, { outlived: active });
}

function afterChildrenEnded(state: RunState, { ended, left }: EventOf<'children.ended'>, effect: Effect | undefined): RunState {
  const { active, elsewhere, tried } = state.children;
  const asked = effect?.kind === 'end-children' ? effect.runs : [...ended, ...left];
  const isLeft = (run: string) => !ended.includes(run);
  return withChildren(state, { active: active.filter(isLeft), elsewhere: elsewhere.filter(isLeft), tried: [...tried, ...asked] });
}

/** Remembers how many children were started, because this look will miss those that start while it runs. */
export function afterLookBegun(state: RunState): RunState {
  return withChildren(state, { startedBeforeLook: state.children.started.length });
}

/** The children that the look has seen, and those started meanwhile. */
function withSeenChildren(state: RunState, seen: readonly string[], isDone: boolean): RunState {
  const { started, startedBeforeLook, elsewhere } = state.children;
  const meanwhile = started.slice(startedBeforeLook).filter((run) => !seen.includes(run) && !elsewhere.includes(run));
  // Without a DONE the run does not wait for children, and earlier tries to end them no longer count.
  const waiting = isDone ? {} : { awaitedSinceMs: null, outlived: [], tried: [] };
  return withChildren(state, { active: [...seen, ...meanwhile], ...waiting });
}
