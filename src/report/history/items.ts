import { endingText } from '../../journal/ending-text.ts';
import type { GateResult } from '../../journal/events/gates.ts';
import type { EventBody, JournalEvent } from '../../journal/events/journal-event.ts';
import { proofOf } from '../../journal/evolve/iterations.ts';
import { failureText } from '../../journal/evolve/why-not-done.ts';
import type { ClosedIteration, OpenIteration, Proof, RunState } from '../../journal/state/state.ts';
import type { CurrentTask } from '../../journal/state/work-state.ts';
import { isDone as isDoneOutcome } from '../../journal/words/outcome.ts';
import { lastCodePoints } from '../../kit/pure/text.ts';
import { isDone as isDoneStory } from '../../plans/review/next-turn.ts';
import { skipsReview } from '../../settings/schema/recipe-facts.ts';
import { tellingLines } from '../console/gates/telling-lines.ts';
import { noProgressText } from '../views/story-progress.ts';
import { taskEnding } from '../views/work-log.ts';
import { isOneItem, WHOLE_RUN } from './figures.ts';

/** What came of one task, one story, or a run without either. */
export interface ItemRecord {
  /** Null while it is not done. */
  done: DoneRecord | null;
  /** How its last iteration ended; null before that, and once it is done. */
  ending: ItemEnding | null;
  /** The red checks of its last judgement; empty once it is done. */
  red: readonly RedCheck[];
  /** Every judgement with red checks, oldest first: the last of them. */
  reds: readonly RedJudgement[];
  receipt: string | null;
}

interface RedJudgement {
  readonly iteration: number;
  readonly red: readonly RedCheck[];
}

export interface DoneRecord {
  readonly atMs: number;
  /** Null: no gate had to be green. */
  readonly proof: Proof | null;
  readonly commit: string | null;
  /** Whether reviewers judged it. */
  readonly isReviewed?: boolean;
}

export interface ItemEnding {
  /** held: a person must allow it. unproven: a claim that was not proven. unfinished: its agent ended without a claim. interrupted: Ralph left. */
  readonly state: 'held' | 'conflict' | 'failed' | 'unproven' | 'unfinished' | 'interrupted';
  readonly why: string;
  /** What its last agent said last, in one line; null: nothing. Untrusted. */
  readonly said: string | null;
  /** Whether it waits for a person: nobody retries it by itself. */
  readonly isLeft: boolean;
  /** The branch that has its work; null for work in place, and if there is none on it. */
  readonly branch: string | null;
}

export interface RedCheck {
  readonly command: string;
  readonly ending: string;
  /** Where it ran: in the workspace, in a clean copy, or on the merged result. */
  readonly where: 'workspace' | 'clean' | 'merged';
  /** The last lines of its output, and before them those that tell what failed. */
  readonly lines: string;
}

type Items = Map<string, ItemRecord>;

/** What an event was about, and the state around it. */
export interface Moment {
  readonly event: JournalEvent;
  readonly before: RunState;
  readonly state: RunState;
  readonly item: string;
}

export function addToItems(items: Items, moment: Moment, mostReds: number): void {
  const { body } = moment.event;
  const { item } = moment;
  const judged = judgedBy(body);
  if (judged !== null) judge(() => itemIn(items, item), judged, mostReds);
  if (body.type === 'receipt.written') itemIn(items, body.task ?? WHOLE_RUN).receipt = body.file;
  if (body.type === 'iteration.closed') itemIn(items, item).ending = endingOf(body.iteration, moment);
  if (body.type === 'task.answered' && body.was_ours) Object.assign(itemIn(items, body.task).ending ?? {}, { isLeft: false });
  const done = doneBy(moment);
  if (done !== null) Object.assign(itemIn(items, done.id), { done: done.record, ending: null, red: [] });
}

function itemIn(items: Items, id: string): ItemRecord {
  const item = items.get(id) ?? { done: null, ending: null, red: [], reds: [], receipt: null };
  items.set(id, item);
  return item;
}

interface Judged {
  readonly iteration: number;
  readonly results: readonly GateResult[];
  readonly where: RedCheck['where'];
}

function judgedBy(body: EventBody): Judged | null {
  if (body.type === 'gates.judged') return body.where === 'start' ? null : { ...body, where: body.where };
  if (body.type === 'proof.judged') return { ...body, where: 'clean' };
  return body.type === 'merge.judged' && body.results.length > 0 ? { ...body, where: 'merged' } : null;
}

/** Gates that were cut off tell nothing. */
function judge(itemOf: () => ItemRecord, { iteration, results, where }: Judged, mostReds: number): void {
  if (results.some(({ ending }) => ending.kind === 'stopped' && ending.cause === 'cancelled')) return;
  const item = itemOf();
  item.red = results.filter(({ green }) => !green).map((result) => redCheck(result, where));
  if (item.red.length > 0) item.reds = [...item.reds, { iteration, red: item.red }].slice(Math.max(0, item.reds.length + 1 - mostReds));
}

const MOST_LINES = 15;
const MOST_CHARS = 2_000;

/** Some test runners end with frames and totals, so the lines that tell what failed come first if they are not among the last. */
function redCheck(result: GateResult, where: RedCheck['where']): RedCheck {
  const { gate, ending, output, output_end = output } = result;
  const last = lastCodePoints(output_end.trimEnd(), MOST_CHARS).split(/\r?\n/).slice(-MOST_LINES);
  const telling = tellingLines(result);
  const isThere = telling.every((text) => last.some((each) => each.includes(text.trim())));
  const lines = isThere ? last : [...telling, '…', ...last.slice(telling.length + 1)];
  return { command: gate.command, ending: endingText(ending), where, lines: lines.join('\n') };
}

const openIn = ({ open }: RunState, number: number) => open.find((iteration) => iteration.number === number);

/** Null for an iteration whose work is done. */
function endingOf(number: number, { before, state }: Moment): ItemEnding | null {
  const open = openIn(before, number);
  const closed = state.closed.at(-1);
  if (!open || !closed) return null;
  if (open.currentTask !== null) return taskEnded(open, closed, state);
  const { error, cause } = closed.entry;
  const why =
    (error === null ? null : failureText(error, cause)) ??
    noProgressText(open, before) ??
    storyFeedback(open, state) ??
    closed.entry.checks.find(({ green }) => !green)?.line ??
    '';
  return plainEnding(closed, { why, said: open.last?.said ?? null, branch: null, isLeft: open.proved?.verdict === 'held' });
}

function storyFeedback({ turn }: OpenIteration, { stories }: RunState): string | null {
  return turn === null || !Object.hasOwn(stories.feedback, turn.story) ? null : (stories.feedback[turn.story] ?? null);
}

function plainEnding({ result, claim, accepted }: ClosedIteration, ending: Omit<ItemEnding, 'state'>): ItemEnding | null {
  if (accepted) return null;
  if (ending.isLeft) return { ...ending, state: 'held' };
  if (result === 'abandoned') return { ...ending, state: 'interrupted' };
  if (result === 'failed') return { ...ending, state: 'failed' };
  return { ...ending, state: claim === null ? 'unfinished' : 'unproven' };
}

function taskEnded(open: OpenIteration, { result }: ClosedIteration, state: RunState): ItemEnding | null {
  const held = open.currentTask;
  if (held === null || held.released === 'done') return null;
  const isHeld = held.merge?.result === 'held';
  const branch = held.settled?.changed === false ? null : (held.workspace?.branch ?? held.from);
  const ending = { why: whyTask(open, held, { result, state }), said: open.last?.said ?? null, branch, isLeft: held.released !== 'free' };
  if (isHeld) return { ...ending, state: 'held' };
  if (held.released === 'conflict') return { ...ending, state: 'conflict' };
  if (result === 'abandoned') return { ...ending, state: 'interrupted' };
  if (held.isClaimed) return { ...ending, state: 'unproven' };
  return { ...ending, state: result === 'failed' ? 'failed' : 'unfinished' };
}

/** What the inbox says of a task that waits for a person; of any other what the log says. */
function whyTask(open: OpenIteration, held: CurrentTask, { result, state: { tasks } }: Pick<ClosedIteration, 'result'> & { readonly state: RunState }): string {
  if (held.merge?.result === 'held') return held.merge.proof?.reason ?? '';
  return tasks.left?.find(({ task }) => task === held.task.id)?.why ?? taskEnding(open, held, result).outcome;
}

/** The item that this event has finished; null: none. */
function doneBy({ event: { body, at }, before, state, item }: Moment): { readonly id: string; readonly record: DoneRecord } | null {
  if (body.type === 'task.released' && body.state === 'done' && body.was_ours) {
    const open = openIn(before, body.iteration);
    const record = { atMs: at, proof: open?.mergeProof?.proof ?? proofOf(open), commit: open?.currentTask?.merge?.commit ?? null };
    return { id: body.task, record };
  }
  if (body.type === 'stories.recorded') return storyDone(body, { before, item, atMs: at });
  if (body.type !== 'run.stopped' || !isDoneOutcome(body.outcome) || !isOneItem(state.run?.settings ?? null)) return null;
  const commit = state.receipt?.commit ?? state.commits.last?.commit ?? null;
  return { id: WHOLE_RUN, record: { atMs: at, proof: state.proof, commit } };
}

type Recorded = Extract<EventBody, { type: 'stories.recorded' }>;

function storyDone({ iteration, plan, moved, head }: Recorded, { before, item, atMs }: Pick<Moment, 'before' | 'item'> & { readonly atMs: number }) {
  const story = plan.userStories.find(({ id }) => id === item);
  if (!moved || !story || !isDoneStory(story, skipsReview(before.run?.settings))) return null;
  const open = openIn(before, iteration);
  const isReviewed = open?.turn?.mode === 'review' && open.turn.moves.length > 0;
  return { id: item, record: { atMs, proof: proofOf(open), commit: head, isReviewed } };
}
