import type { AttemptEnded } from '../../journal/events/attempt.ts';
import type { GateResult } from '../../journal/events/gates.ts';
import type { EventBody, JournalEvent } from '../../journal/events/journal-event.ts';
import type { IterationResult } from '../../journal/events/run.ts';
import type { SeenTask } from '../../journal/events/work.ts';
import { evolve } from '../../journal/evolve/evolve.ts';
import { costsNothing } from '../../journal/evolve/spending.ts';
import type { ProgressEntry } from '../../journal/state/iteration.ts';
import { emptyState, type RunState } from '../../journal/state/state.ts';
import type { Claim } from '../../journal/words/claim.ts';
import { type BoundedList, boundedList } from './bounded-list.ts';
import { addToFigures, type Figures, noFigures, WHOLE_RUN } from './figures.ts';
import { addToItems, type ItemRecord } from './items.ts';
import { openPlanTasks } from './plan-tasks.ts';
import { type Refusal, refusalsIn } from './refusals.ts';
import { type TimelineEntry, timelineEntry } from './timeline.ts';

/** Everything that views of one run need: its state, and what the state does not keep. Made by one fold, so that all views have the same numbers. */
export interface RunHistory {
  readonly state: RunState;
  /** Null for a run that never started. */
  readonly started: Extract<EventBody, { type: 'run.started' }> | null;
  readonly figures: Figures;
  readonly items: ReadonlyMap<string, ItemRecord>;
  /** The tasks of its plan as it last saw them; null: it has none, or has not looked yet. */
  readonly tasks: readonly SeenTask[] | null;
  readonly iterations: readonly IterationRecord[];
  /** The checks before the first iteration; null when they were not run. */
  readonly baseline: readonly GateResult[] | null;
  readonly refusals: BoundedList<Refusal>;
  readonly timeline: BoundedList<TimelineEntry>;
  /** Of the last event. */
  readonly lastMs: number;
}

export interface IterationRecord {
  readonly iteration: number;
  readonly worker: number;
  readonly openedAtMs: number;
  /** The task or story it is about. */
  item: string;
  /** Null while it is open, and for the iteration in which a run died. */
  closedAtMs: number | null;
  result: IterationResult | null;
  accepted: boolean;
  claim: Claim | null;
  readonly attempts: AttemptEnded[];
  /** The last results of the checks in the workspace, and in a fresh checkout; null when they did not run. Only the last iterations have the outputs. */
  checks: readonly GateResult[] | null;
  cleanChecks: readonly GateResult[] | null;
  readonly restored: string[];
  entry: ProgressEntry | null;
}

/** Takes events one by one, so that a journal of any length can be read as a stream. */
interface HistoryFold {
  add(event: JournalEvent): void;
  history(): RunHistory;
}

const MOST_REDS = 10;

/** `mostIterations`: the records of older ones are forgotten once they are closed. `mostReds`: how many red judgements each item keeps. */
export function openHistory({ mostIterations = Number.POSITIVE_INFINITY, mostReds = MOST_REDS } = {}): HistoryFold {
  const figures = noFigures();
  const items = new Map<string, ItemRecord>();
  const iterations = new Map<number, IterationRecord>();
  const tasks = openPlanTasks();
  const refusals = boundedList<Refusal>();
  const timeline = boundedList<TimelineEntry>();
  let started: RunHistory['started'] = null;
  let baseline: RunHistory['baseline'] = null;
  let state = emptyState;
  return {
    add(event) {
      const { body } = event;
      const before = state;
      state = evolve(state, event);
      // An iteration that this event closes still has its item here.
      const item = itemOf(body, figures);
      addToFigures(figures, event);
      tasks.add(body);
      const moment = { event, before, state, item: body.type === 'turn.begun' ? body.story : item };
      addToItems(items, moment, mostReds);
      addToIterations(iterations, moment, mostIterations);
      for (const refusal of refusalsIn(moment)) refusals.add(refusal);
      const entry = timelineEntry(moment);
      if (entry !== null) timeline.add(entry);
      if (body.type === 'run.started') started = body;
      if (body.type === 'gates.judged' && body.where === 'start') baseline = body.results;
    },
    history: () => ({
      ...{ state, started, figures, items, tasks: tasks.tasks(), baseline, lastMs: figures.lastMs },
      ...{ iterations: [...iterations.values()], refusals: refusals.list(), timeline: timeline.list() },
    }),
  };
}

function itemOf(body: EventBody, { open, taken }: Figures): string {
  if (body.type === 'iteration.opened') return taken.get(body.lane)?.id ?? WHOLE_RUN;
  if (body.type === 'task.taken') return body.task.id;
  return 'iteration' in body ? (open.get(body.iteration)?.item ?? WHOLE_RUN) : WHOLE_RUN;
}

/** How many iterations keep the outputs of their checks. */
const MOST_OUTPUTS = 200;

interface Seen {
  readonly event: JournalEvent;
  readonly item: string;
  /** After it. */
  readonly state: RunState;
}

function addToIterations(iterations: Map<number, IterationRecord>, { event: { body, at }, item, state }: Seen, most: number): void {
  if (body.type === 'iteration.opened') {
    forgetClosed(iterations, body.iteration - most);
    forgetOutputs(iterations.get(body.iteration - MOST_OUTPUTS));
    iterations.set(body.iteration, newIteration(body, item, at));
  }
  const known = 'iteration' in body ? iterations.get(body.iteration) : undefined;
  if (!known) return;
  if (body.type === 'turn.begun') known.item = item;
  if (body.type === 'attempt.ended') known.attempts.push(body);
  if (body.type === 'gates.judged' && body.where === 'workspace') known.checks = body.results;
  if (body.type === 'gates.judged' && body.where === 'clean') known.cleanChecks = body.results;
  if (body.type === 'paths.restored') known.restored.push(...body.paths.filter((path) => !known.restored.includes(path)));
  if (body.type !== 'iteration.closed') return;
  const { result, accepted, claim } = body;
  Object.assign(known, { closedAtMs: at, result, accepted, claim, entry: state.closed.at(-1)?.entry ?? null });
}

function forgetClosed(iterations: Map<number, IterationRecord>, until: number): void {
  for (const [number, { closedAtMs }] of iterations) {
    if (number > until) return;
    if (closedAtMs !== null) iterations.delete(number);
  }
}

function newIteration({ iteration, lane }: Extract<EventBody, { type: 'iteration.opened' }>, item: string, openedAtMs: number): IterationRecord {
  const unknown = { closedAtMs: null, result: null, accepted: false, claim: null, checks: null, cleanChecks: null, entry: null };
  return { iteration, worker: lane, openedAtMs, item, ...unknown, attempts: [], restored: [] };
}

function forgetOutputs(old: IterationRecord | undefined): void {
  if (!old) return;
  const without = (results: readonly GateResult[] | null) => results?.map((result) => ({ ...result, output: '' })) ?? null;
  Object.assign(old, { checks: without(old.checks), cleanChecks: without(old.cleanChecks) });
}

/** How many checks ran in it, wherever. */
export const checksIn = ({ checks, cleanChecks }: IterationRecord): number => Math.max(checks?.length ?? 0, cleanChecks?.length ?? 0);

/** Null before the first attempt, and when one attempt reported no cost. */
export function costOfIteration(attempts: readonly AttemptEnded[]): number | null {
  if (attempts.length === 0) return null;
  const costs = attempts.map((ended) => (costsNothing(ended) ? 0 : (ended.spent?.cost_usd ?? null)));
  return costs.reduce((sum, cost) => (sum === null || cost === null ? null : sum + cost), 0);
}
