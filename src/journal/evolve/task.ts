import { factsOf, taskSpecOf } from '../../settings/schema/recipe-facts.ts';
import type { Effect } from '../effects/effect.ts';
import type { AttemptEnded } from '../events/attempt.ts';
import type { GatesJudged } from '../events/gates.ts';
import type { BodyOf, TaskEvent } from '../events/recipe-events.ts';
import type { DoneFileState, TaskSeen } from '../events/task.ts';
import { answerKey } from '../state/questions.ts';
import type { RunState } from '../state/state.ts';
import type { ChildRuns, SupervisedTask } from '../state/supervised-task.ts';
import { areCutOff, judgedBy } from './gates.ts';
import { effectInFlight, type OwnFold } from './iterations.ts';
import { withQuestions } from './questions.ts';
import { costsNothing } from './spending.ts';

/** An agent exits with this code when it does not want to be restarted (seed 002). */
export const WAIT_EXIT_CODE = 42;

const absent: DoneFileState = { kind: 'absent' };

function withTask(state: RunState, change: Partial<SupervisedTask>): RunState {
  return { ...state, task: { ...state.task, ...change } };
}

function afterBegun(state: RunState, { kind }: Effect): RunState {
  // This look will miss the children that start while it runs.
  if (kind === 'look-at-task') return withChildren(state, { startedBeforeLook: state.children.started.length });
  // An earlier DONE no longer counts.
  return kind === 'run-agent' ? withTask(state, { doneSinceMs: null }) : state;
}

function afterLife(state: RunState, ended: AttemptEnded): RunState {
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
function afterLifeClosed(state: RunState): RunState {
  const closed = state.closed.at(-1);
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
function afterDoneSeen(state: RunState, { done }: BodyOf<'done.seen'>, atMs: number): RunState {
  const isAtWork = state.inFlight.some((effect) => effect.kind === 'run-agent');
  const doneSinceMs = done.kind === 'absent' ? null : (state.task.doneSinceMs ?? atMs);
  return withTask(state, { doneSinceMs, lastLook: isAtWork ? state.task.lastLook : null });
}

function afterDependencies(state: RunState, { blocked_by }: BodyOf<'dependencies.seen'>): RunState {
  return withTask(state, { blockedBy: blocked_by, lastLook: blocked_by.length === 0 ? null : state.task.lastLook });
}

/** The result of checking a DONE, while no life is open. The next life is told the failures, even if the loop dies before DONE is renamed. */
function afterDoneJudged(state: RunState, body: GatesJudged): RunState {
  if (body.iteration !== 0 || areCutOff(body.results)) return state;
  const { green, failures } = judgedBy(state, body);
  return { ...withTask(state, { judged: { green, failures } }), failures };
}

/** A claim to be done cancels a request to wait. */
function afterDoneRefused(state: RunState): RunState {
  const { lastLook, refusals } = state.task;
  return withTask(state, { lastLook: lastLook && { ...lastLook, done: absent }, doneSinceMs: null, judged: null, refusals: refusals + 1, wait: null });
}

/** A new sitting reads the folder again. An agent that waited for an answer is restarted. */
function afterTaskResumed(state: RunState): RunState {
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

/** What a supervised root agent adds to the state of a run. */
export const ofTaskFolder: OwnFold<TaskEvent> = {
  'run.resumed': (_body, state) => afterTaskResumed(state),
  'effect.begun': ({ effect }, state) => afterBegun(state, effect),
  'attempt.ended': (body, state) => afterLife(state, body),
  'gates.judged': (body, state) => afterDoneJudged(state, body),
  'iteration.closed': (_body, state) => afterLifeClosed(state),
  'task.seen': (body, state, { before, atMs }) => afterLook(state, body, effectInFlight(before, body.key), atMs),
  'done.seen': (body, state, { atMs }) => afterDoneSeen(state, body, atMs),
  'done.refused': (_body, state) => afterDoneRefused(state),
  'dependencies.seen': (body, state) => afterDependencies(state, body),
  'child.asked': (body, state) => afterChildAsked(state, body),
  'child.started': (body, state, { before }) => afterChildStarted(state, body, effectInFlight(before, body.key)),
  'child.refused': (body, state) => afterChildRefused(state, body),
  'children.seen': ({ active }, state) => withChildren(state, { active }),
  'children.awaited': (_body, state, { atMs }) => withChildren(state, { awaitedSinceMs: atMs }),
  'children.outlived': ({ active }, state) => withChildren(state, { outlived: active }),
  'children.ended': (body, state, { before }) => afterChildrenEnded(state, body, effectInFlight(before, body.key)),
  posted: ({ key }, state) => afterPost(state, key),
};

/** More than any run starts, but every list in the state is bounded. */
const MOST_REMEMBERED = 10_000;

function withChildren(state: RunState, change: Partial<ChildRuns>): RunState {
  return { ...state, children: { ...state.children, ...change } };
}

function afterChildAsked(state: RunState, { child }: BodyOf<'child.asked'>): RunState {
  return withChildren(state, { asked: [...state.children.asked, child] });
}

/** It counts as active from now on, even if a watcher that looked a moment earlier did not see it. */
function afterChildStarted(state: RunState, { run }: BodyOf<'child.started'>, effect: Effect | undefined): RunState {
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

function afterChildRefused(state: RunState, { run, why }: BodyOf<'child.refused'>): RunState {
  return withChildren(withoutRequest(state, run), { refused: [...state.children.refused, { run, why }].slice(-MOST_REMEMBERED) });
}

function withoutRequest(state: RunState, run: string): RunState {
  return withChildren(state, { asked: state.children.asked.filter((child) => child.run !== run) });
}

function afterChildrenEnded(state: RunState, { ended, left }: BodyOf<'children.ended'>, effect: Effect | undefined): RunState {
  const { active, elsewhere, tried } = state.children;
  const asked = effect?.kind === 'end-children' ? effect.runs : [...ended, ...left];
  const isLeft = (run: string) => !ended.includes(run);
  return withChildren(state, { active: active.filter(isLeft), elsewhere: elsewhere.filter(isLeft), tried: [...tried, ...asked] });
}

/** The children that the look has seen, and those started meanwhile. */
function withSeenChildren(state: RunState, seen: readonly string[], isDone: boolean): RunState {
  const { started, startedBeforeLook, elsewhere } = state.children;
  const meanwhile = started.slice(startedBeforeLook).filter((run) => !seen.includes(run) && !elsewhere.includes(run));
  // Without a DONE the run does not wait for children, and earlier tries to end them no longer count.
  const waiting = isDone ? {} : { awaitedSinceMs: null, outlived: [], tried: [] };
  return withChildren(state, { active: [...seen, ...meanwhile], ...waiting });
}
