import type { AttemptEnded } from '../../journal/events/attempt.ts';
import type { EventBody, JournalEvent } from '../../journal/events/journal-event.ts';
import type { IterationResult } from '../../journal/events/run.ts';
import { whyNotDone } from '../../journal/evolve/why-not-done.ts';
import type { OpenIteration, RunState } from '../../journal/state/state.ts';
import type { CurrentTask } from '../../journal/state/work-state.ts';
import type { Outcome } from '../../journal/words/outcome.ts';
import { oneLine, truncateCodePoints } from '../../kit/pure/text.ts';
import { takesOver } from '../../limits/agents.ts';
import { planPathOf, workSpecOf } from '../../settings/schema/recipe-facts.ts';

const OUTCOME_CHARS = 300;

/** The entry of `logs/ralph.jsonl` for an event (seed 000); null: none. `exitCodes` are those of the last agent of each iteration. */
export function workLogEntry(
  { body, at }: JournalEvent,
  before: RunState,
  state: RunState,
  exitCodes: ReadonlyMap<number, number>,
): Omit<WorkLogEntry, 'timestamp'> | null {
  const told = toldOf(body, { before, state, atMs: at, exitCodes });
  const { run } = state;
  const work = workSpecOf(run?.settings);
  if (told === null || run === null || work === null) return null;
  const { iteration, task, lane, action, tookMs, exitCode, outcome } = told;
  return {
    iteration,
    task_id: task,
    action,
    duration_seconds: Math.round(tookMs / 100) / 10,
    exit_code: exitCode,
    outcome: truncateCodePoints(oneLine(outcome), OUTCOME_CHARS, '...'),
    story_filter: work.filter.story,
    lane,
    run_id: run.id,
  };
}

interface Told {
  readonly iteration: number;
  readonly task: string | null;
  readonly lane: number | null;
  readonly action: LogAction;
  readonly tookMs: number;
  readonly exitCode: number | null;
  readonly outcome: string;
}

interface Moment {
  readonly before: RunState;
  readonly state: RunState;
  readonly atMs: number;
  readonly exitCodes: ReadonlyMap<number, number>;
}

const ofTheRun = { task: null, lane: null, tookMs: 0, exitCode: null };

function toldOf(body: EventBody, moment: Moment): Told | null {
  const { before, state } = moment;
  const { type } = body;
  if (type === 'run.started' || type === 'run.resumed')
    return { ...ofTheRun, iteration: 0, action: 'loop_started', outcome: startText(state, type === 'run.resumed') };
  if (type === 'iteration.opened')
    return inIteration(body.iteration, state, { action: 'started', tookMs: 0, exitCode: null, outcome: titleOf(body.iteration, state) });
  if (type === 'attempt.ended') return body.verdict === 'limited' ? limited(body, moment) : null;
  if (type === 'iteration.closed') return closed(body, moment);
  if (type === 'run.stopped') return stopped(body.outcome, moment);
  const isNews = type === 'plan.troubled' && body.why !== before.tasks.planProblem?.why;
  return isNews ? { ...ofTheRun, iteration: state.opened, action: 'error', outcome: body.why } : null;
}

function startText({ run }: RunState, isResumed: boolean): string {
  const { lanes } = run?.settings ?? { lanes: 1 };
  return `${isResumed ? 'resumed, ' : ''}${planPathOf(run?.settings) ?? 'no plan'}, ${lanes === 1 ? '1 worker' : `${lanes} workers`}`;
}

function openOf(iteration: number, { open }: RunState): OpenIteration | undefined {
  return open.find(({ number }) => number === iteration);
}

const titleOf = (iteration: number, state: RunState) => openOf(iteration, state)?.currentTask?.task.title || 'no title';

function inIteration(iteration: number, state: RunState, rest: Pick<Told, 'action' | 'tookMs' | 'exitCode' | 'outcome'>): Told {
  const open = openOf(iteration, state);
  return { iteration, task: open?.currentTask?.task.id ?? null, lane: open?.worker ?? null, ...rest };
}

function limited(body: AttemptEnded, { state, atMs }: Moment): Told {
  const { iteration, ending, duration_ms, why } = body;
  const next = takesOver(body, state, atMs);
  const waitS = Math.max(0, Math.ceil((state.limit.untilMs - atMs) / 1000));
  const exitCode = ending.kind === 'exited' ? ending.code : null;
  return inIteration(iteration, state, {
    action: 'rate_limited',
    tookMs: duration_ms,
    exitCode,
    outcome: `${next === null ? `waiting ${waitS}s` : `${next} goes on`}: ${why}`,
  });
}

function closed({ iteration, result }: Extract<EventBody, { type: 'iteration.closed' }>, { before, atMs, exitCodes }: Moment): Told | null {
  const open = openOf(iteration, before);
  if (!open?.currentTask) return null;
  return inIteration(iteration, before, {
    ...taskEnding(open, open.currentTask, result),
    tookMs: atMs - open.openedAtMs,
    exitCode: exitCodes.get(iteration) ?? null,
  });
}

const actionOf: Partial<Record<Outcome['stop_reason'], LogAction>> = { completed: 'finished', blocked: 'blocked', interrupted: 'interrupted', fatal: 'error' };

function stopped({ stop_reason, message, exit_code }: Outcome, { state, atMs }: Moment): Told {
  const tookMs = atMs - (state.run?.startedAtMs ?? atMs);
  return { ...ofTheRun, iteration: state.opened, action: actionOf[stop_reason] ?? 'finished', tookMs, exitCode: exit_code, outcome: message };
}

type Ending = Pick<WorkLogEntry, 'action' | 'outcome'>;

/** How a task ended. Only a merged task is completed. A task that Ralph abandoned, or whose agent made no claim, is neither completed nor failed. */
export function taskEnding(open: OpenIteration, held: CurrentTask, result: IterationResult): Ending {
  if (held.released === 'done') return { action: 'completed', outcome: `merged${held.merge?.commit ? ` as ${held.merge.commit.slice(0, 7)}` : ''}` };
  if (result === 'abandoned') return { action: 'skipped', outcome: `left unfinished${held.abandonedBecause === null ? '' : `: ${held.abandonedBecause}`}` };
  const why = whyNotDone(open, held);
  return why === null ? { action: 'skipped', outcome: 'exited without completing the task' } : { action: 'failed', outcome: why };
}

/** What an entry is about (seed 000). */
export type LogAction = 'loop_started' | 'started' | 'completed' | 'failed' | 'rate_limited' | 'finished' | 'blocked' | 'interrupted' | 'error' | 'skipped';

/** One line of `logs/ralph.jsonl`: the fields of seed 000, then ours. */
export interface WorkLogEntry {
  readonly timestamp: string;
  /** 0: before the first iteration. */
  readonly iteration: number;
  readonly task_id: string | null;
  readonly action: LogAction;
  readonly duration_seconds: number;
  readonly exit_code: number | null;
  readonly outcome: string;
  readonly story_filter: string | null;
  /** Null for the run as a whole. */
  readonly lane: number | null;
  readonly run_id: string;
}
