import type { AttemptEnded } from '../../journal/events/attempt.ts';
import type { EventBody, JournalEvent } from '../../journal/events/journal-event.ts';
import { type EventTable, lookUp } from '../../journal/events/recipe-events.ts';
import { spentWith } from '../../journal/evolve/spending.ts';
import { noSpending, type Spending } from '../../journal/state/spending.ts';
import { isDone as isDoneOutcome } from '../../journal/words/outcome.ts';
import type { PlanTask } from '../../journal/words/plan.ts';
import { agentName, agentOfAttempt } from '../../limits/agents.ts';
import { isDone as isDoneStory } from '../../plans/review/next-turn.ts';
import { factsOf, skipsReview } from '../../settings/schema/recipe-facts.ts';
import type { RunSettings } from '../../settings/schema/run-settings.ts';

/** The id of the work of a run without tasks or stories: the run itself. */
export const WHOLE_RUN = '';

/** What one task, one story, or a run without either took. */
export interface ItemFigures {
  readonly id: string;
  title: string;
  iterations: number;
  spent: Spending;
  /** The sum of its iterations, without the time in which the run was stopped. */
  workedMs: number;
  /** When it was done; null: it is not. */
  doneAtMs: number | null;
  /** Whether more than a claim proves that it is done: a gate, a declared output or a review. */
  isProven: boolean;
  /** The agent of its last work attempt, as a key of `agents`; null before the first attempt. */
  agent: string | null;
}

export interface AgentFigures {
  readonly agent: string;
  readonly model: string | null;
  /** Iterations in which it was started. */
  iterations: number;
  spent: Spending;
  /** The sum of its attempts. */
  workedMs: number;
  /** How many of its attempts failed, by their cause. */
  readonly causes: Map<string, number>;
}

/** Numbers by task and by agent, from the events alone. Their sums are those of the run's own state. */
export interface Figures {
  readonly items: Map<string, ItemFigures>;
  readonly agents: Map<string, AgentFigures>;
  /** The iterations that are still open, by number. */
  readonly open: Map<number, OpenFigures>;
  /** The task that each worker has taken and not begun. */
  readonly taken: Map<number, PlanTask>;
  /** Tasks without a gate of their own and without a declared output. */
  readonly unchecked: Set<string>;
  /** How many tasks its plan has for it, and how many were complete when it took the first one; null: it has none, or took none. */
  planned: { readonly total: number; readonly completeBefore: number } | null;
  /** Of the whole run. */
  spent: Spending;
  settings: RunSettings | null;
  lastMs: number;
}

interface OpenFigures {
  item: string;
  fromMs: number;
  readonly agents: Set<string>;
}

/** The events that figures need; all others change nothing and may be left out. */
export const FIGURES_READ = [
  'run.started',
  'run.resumed',
  'run.stopped',
  'iteration.opened',
  'iteration.closed',
  'attempt.ended',
  'task.taken',
  'task.released',
  'turn.begun',
  'stories.recorded',
] as const satisfies readonly EventBody['type'][];

export function noFigures(): Figures {
  return {
    items: new Map(),
    agents: new Map(),
    open: new Map(),
    taken: new Map(),
    unchecked: new Set(),
    planned: null,
    spent: noSpending,
    settings: null,
    lastMs: 0,
  };
}

/** Takes the events of a journal in their order. */
export function addToFigures(sum: Figures, event: JournalEvent): void {
  lookUp(TAKEN, event.body, sum, event.at);
  sum.lastMs = event.at;
}

const TAKEN: EventTable<[sum: Figures, at: number], void> = {
  'run.started': ({ settings }, sum) => {
    sum.settings = settings;
  },
  'run.resumed': ({ worked_until }, sum, at) => leaveOutTheBreak(sum, at, worked_until ?? 0),
  'task.taken': ({ lane, task, total, complete = 0 }, sum) => {
    if (total !== undefined) sum.planned = { total, completeBefore: sum.planned?.completeBefore ?? complete };
    sum.taken.set(lane, task);
  },
  'iteration.opened': (body, sum, at) => open(sum, body, at),
  'turn.begun': (body, sum) => beginTurn(sum, body),
  'attempt.ended': (body, sum) => addAttempt(sum, body),
  'task.released': ({ task, state, was_ours }, sum, at) => {
    if (state === 'done' && was_ours) finish(sum, task, at, !sum.unchecked.has(task));
  },
  'stories.recorded': (body, sum, at) => recordStory(sum, body, at),
  'iteration.closed': ({ iteration }, sum, at) => close(sum, iteration, at),
  'run.stopped': ({ outcome }, sum, at) => {
    if (isOneItem(sum.settings) && isDoneOutcome(outcome)) finish(sum, WHOLE_RUN, at, !outcome.unproven);
  },
};

/** Whether the run itself is what has to be proven, and not its tasks or stories. */
export function isOneItem(settings: RunSettings | null): boolean {
  return !factsOf(settings).hasItems;
}

/** The figures of an item, with the time of its open iterations up to the last event. */
export function itemsSoFar({ items, open: still, lastMs }: Figures): readonly ItemFigures[] {
  return [...items.values()].map((each) => {
    const now = [...still.values()].filter(({ item }) => item === each.id);
    const workedMs = now.reduce((sum, { fromMs }) => sum + Math.max(0, lastMs - fromMs), each.workedMs);
    return { ...each, workedMs, iterations: each.iterations + now.length };
  });
}

function itemIn({ items }: Figures, id: string, title = ''): ItemFigures {
  const item = items.get(id) ?? { id, title, iterations: 0, spent: noSpending, workedMs: 0, doneAtMs: null, isProven: false, agent: null };
  item.title ||= title;
  items.set(id, item);
  return item;
}

/** The time between two sittings is nobody's work. */
function leaveOutTheBreak(sum: Figures, atMs: number, workedUntilMs: number): void {
  const breakMs = Math.max(0, atMs - Math.max(sum.lastMs, workedUntilMs));
  for (const iteration of sum.open.values()) iteration.fromMs += breakMs;
}

function open(sum: Figures, { iteration, lane }: Extract<EventBody, { type: 'iteration.opened' }>, atMs: number): void {
  const task = sum.taken.get(lane);
  sum.taken.delete(lane);
  if (task && task.verify.length + task.outputs.length + (sum.settings?.gates.length ?? 0) === 0) sum.unchecked.add(task.id);
  // An iteration on stories is about none of them before its turn begins.
  const item = task || isOneItem(sum.settings) ? itemIn(sum, task?.id ?? WHOLE_RUN, task?.title).id : WHOLE_RUN;
  sum.open.set(iteration, { item, fromMs: atMs, agents: new Set() });
}

function beginTurn(sum: Figures, { iteration, story }: Extract<EventBody, { type: 'turn.begun' }>): void {
  const opened = sum.open.get(iteration);
  if (opened) opened.item = itemIn(sum, story).id;
}

function addAttempt(sum: Figures, ended: AttemptEnded): void {
  if (ended.limit_known) return;
  const iteration = sum.open.get(ended.iteration);
  const { key, agent, model } = agentOf(sum.settings, ended);
  const by = sum.agents.get(key) ?? { agent, model, iterations: 0, spent: noSpending, workedMs: 0, causes: new Map<string, number>() };
  sum.agents.set(key, by);
  by.spent = spentWith(by.spent, ended);
  sum.spent = spentWith(sum.spent, ended);
  by.workedMs += ended.duration_ms;
  by.iterations += iteration?.agents.has(key) === false ? 1 : 0;
  // Older journals know no causes.
  if (ended.verdict !== 'ok') addOne(by.causes, ended.cause?.kind ?? ended.verdict);
  iteration?.agents.add(key);
  const item = itemIn(sum, iteration?.item ?? WHOLE_RUN);
  item.spent = spentWith(item.spent, ended);
  item.agent = ended.role === 'work' ? key : (item.agent ?? key);
}

function agentOf(settings: RunSettings | null, ended: AttemptEnded): { readonly key: string; readonly agent: string; readonly model: string | null } {
  const spec = settings && agentOfAttempt(settings, ended);
  const { agent, model } = { agent: spec === null ? 'unknown' : agentName(spec), model: spec?.model ?? null };
  return { key: JSON.stringify([agent, model]), agent, model };
}

const addOne = (counts: Map<string, number>, key: string) => counts.set(key, (counts.get(key) ?? 0) + 1);

function recordStory(sum: Figures, { iteration, plan, moved }: Extract<EventBody, { type: 'stories.recorded' }>, atMs: number): void {
  const id = sum.open.get(iteration)?.item;
  const story = plan.userStories.find((each) => each.id === id);
  if (!story) return;
  itemIn(sum, story.id, story.title);
  const skipReview = skipsReview(sum.settings);
  if (moved && isDoneStory(story, skipReview)) finish(sum, story.id, atMs, !skipReview || (sum.settings?.gates.length ?? 0) > 0);
}

function finish(sum: Figures, id: string, atMs: number, isProven: boolean): void {
  const item = itemIn(sum, id);
  item.doneAtMs ??= atMs;
  item.isProven = isProven;
}

function close(sum: Figures, number: number, atMs: number): void {
  const iteration = sum.open.get(number);
  if (!iteration) return;
  const item = itemIn(sum, iteration.item);
  item.workedMs += Math.max(0, atMs - iteration.fromMs);
  item.iterations += 1;
  sum.open.delete(number);
}
