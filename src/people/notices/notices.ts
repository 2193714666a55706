import type { EventBody, JournalEvent } from '../../journal/events/journal-event.ts';
import { type EventTable, lookUp } from '../../journal/events/recipe-events.ts';
import { failureText } from '../../journal/evolve/why-not-done.ts';
import { openQuestions } from '../../journal/state/questions.ts';
import { totalCost } from '../../journal/state/spending.ts';
import type { RunState } from '../../journal/state/state.ts';
import { completeTasks } from '../../journal/state/work-state.ts';
import { isDone, type Outcome, outcomeText } from '../../journal/words/outcome.ts';
import { costText, formatDuration, plural } from '../../kit/pure/amounts.ts';
import { oneLine, printable, truncateCodePoints } from '../../kit/pure/text.ts';
import { isBudget } from '../../limits/retry-policy.ts';
import { needsText } from '../../report/console/question-text.ts';
import { workedMs } from '../../report/console/spent-text.ts';
import { agentSaid } from '../../report/needs/agent-said.ts';
import { needsOf } from '../../report/needs/needs.ts';
import { workLogEntry } from '../../report/views/work-log.ts';
import { budgetOf } from '../../settings/schema/recipe-facts.ts';
import { type Message, NOTICE_EVENTS, type NoticeEvent } from '../channels/channel.ts';

/** One thing that a person may want to know. `text` may contain what an agent printed, of any length. */
export interface Notice {
  readonly seq: number;
  readonly atMs: number;
  readonly events: readonly NoticeEvent[];
  readonly text: string;
  /** How the run ended; absent: it goes on. */
  readonly outcome?: Outcome;
}

type Told = Omit<Notice, 'seq' | 'atMs'>;

/** What there is to tell about an event of a run. No rule reads it. */
export function noticesOf(event: JournalEvent, before: RunState, state: RunState): readonly Notice[] {
  const { seq, at: atMs, body } = event;
  const told = [...(lookUp(TOLD, body, event, before, state) ?? []), ...ofBudget(before, state), ...ofLimit(body, before, state, atMs)];
  return told.map((each) => ({ seq, atMs, ...each }));
}

const TOLD: EventTable<[event: JournalEvent, before: RunState, state: RunState], readonly Told[]> = {
  'run.stopped': ({ outcome }, _event, _before, state) => [{ events: eventsOfEnd(outcome), text: `${endText(outcome, state)} (${figures(state)})`, outcome }],
  'question.asked': (_body, _event, before, state) => ofQuestion(before, state),
  'stories.recorded': (_body, _event, before, state) =>
    passing(state)
      .filter((id) => !passing(before).includes(id))
      .map((id) => ({ events: ['proven'], text: `${id} is done` })),
  'iteration.closed': (body, event, before, state) =>
    before.open.some(({ number, currentTask }) => number === body.iteration && currentTask !== null)
      ? ofTask(event, before, state)
      : ofIteration(body, before, state),
};

/** The new question, with the command that answers it. */
function ofQuestion(before: RunState, state: RunState): readonly Told[] {
  const asked = needsOf(before).map(({ sinceMs, task, text }) => `${sinceMs} ${task} ${text}`);
  return needsOf(state)
    .filter(({ sinceMs, task, text }) => !asked.includes(`${sinceMs} ${task} ${text}`))
    .map(({ task, text, command }) => ({ events: ['needs_you'], text: `${task ?? 'The agent'} asks: ${text} (${command})` }));
}

/** A run that did not finish its work needs a person, unless a person has stopped it. */
function eventsOfEnd({ stop_reason, ...outcome }: Outcome): readonly NoticeEvent[] {
  const needs = isDone({ ...outcome, stop_reason }) || stop_reason === 'interrupted' ? [] : (['needs_you'] as const);
  const budget = stop_reason === 'budget_exhausted' || stop_reason === 'timeout' ? (['budget'] as const) : [];
  return ['ended', ...needs, ...budget, ...(stop_reason === 'rate_limited' ? (['limit'] as const) : [])];
}

/** A question or a parked task has been told by itself: the end of a run that waits for it does not tell it again. */
function endText({ stop_reason, message }: Outcome, state: RunState): string {
  const isWaiting = stop_reason === 'waiting' || stop_reason === 'held';
  const isTold = isWaiting && (openQuestions(state).length > 0 || needsOf(state).some(({ kind, task }) => kind === 'held' && task !== null));
  if (!isTold) return message;
  const known = completeTasks(state.tasks);
  const tasks = known === null ? '' : `${known.complete} of ${plural(known.total, 'task')} complete; `;
  return `${tasks}${needsText(needsOf(state))} (ralph inbox)`;
}

function figures(state: RunState): string {
  const cost = totalCost(state.spent);
  return [
    plural(state.opened, 'iteration'),
    ...(cost === null ? [] : [`${costText(cost.usd)}${cost.isEstimated ? ' (estimated)' : ''}`]),
    formatDuration(workedMs(state)),
  ].join(', ');
}

const passing = ({ stories: { plan } }: RunState) => plan?.userStories.filter(({ passes }) => passes).map(({ id }) => id) ?? [];

/** How a task of a plan ended. What waits for a person is told as the inbox has it; a question was told when it was asked. */
function ofTask(event: JournalEvent, before: RunState, state: RunState): readonly Told[] {
  const entry = workLogEntry(event, before, state, new Map());
  const open = before.open.find(({ number }) => number === entry?.iteration);
  if (entry === null || !open?.currentTask) return [];
  const { released } = open.currentTask;
  if (released === 'done') return [{ events: ['proven'], text: `${entry.task_id}: ${entry.outcome}` }];
  if (released === 'free' || released === null)
    return entry.action === 'failed' ? [{ events: ['failed'], text: withWords(`${entry.task_id}: ${entry.outcome}; Ralph retries it`, open.last?.said) }] : [];
  const need = needsOf(state).find(({ task, kind }) => task === entry.task_id && kind !== 'question');
  if (need === undefined) return [];
  const text = withWords(`${need.task}: ${need.text} (${need.command})`, need.said);
  return [{ events: released === 'parked' ? ['needs_you'] : ['failed', 'needs_you'], text }];
}

function withWords(text: string, said: string | undefined): string {
  const words = agentSaid(said, text);
  return words === null ? text : `${text}. ${words}`;
}

function ofIteration({ iteration, result, accepted }: Extract<EventBody, { type: 'iteration.closed' }>, before: RunState, state: RunState): readonly Told[] {
  const isJudged = (state.run?.settings.gates.length ?? 0) > 0;
  if (accepted && isJudged) return [{ events: ['proven'], text: `Iteration ${iteration} is proven` }];
  const { why = '', cause, said } = before.open.find(({ number }) => number === iteration)?.last ?? {};
  return result === 'failed' ? [{ events: ['failed'], text: withWords(`Iteration ${iteration}: ${failureText(why, cause)}`, said) }] : [];
}

const MUCH_OF_THE_BUDGET = 0.8;

/** Once, when most of the money is spent. */
function ofBudget(before: RunState, state: RunState): readonly Told[] {
  const limit = state.run ? budgetOf(state.run.settings).costUsd : null;
  const spent = ({ spent: sums }: RunState) => totalCost(sums)?.usd ?? 0;
  if (limit === null || spent(state) < limit * MUCH_OF_THE_BUDGET || spent(before) >= limit * MUCH_OF_THE_BUDGET) return [];
  return [{ events: ['budget'], text: `${costText(spent(state))} of ${costText(limit)} are spent` }];
}

function ofLimit({ type }: EventBody, before: RunState, { limit }: RunState, atMs: number): readonly Told[] {
  if (type !== 'attempt.ended' || limit.untilMs <= before.limit.untilMs || limit.untilMs <= atMs || isBudget(limit.window)) return [];
  return [{ events: ['limit'], text: `Usage limit reached: Ralph goes on in ${formatDuration(limit.untilMs - atMs)}` }];
}

/** The run that a message is about. */
export interface MessageOf {
  readonly run: string;
  readonly recipe: string;
  /** The name of the folder it works in. */
  readonly project: string;
  readonly hide: (text: string) => string;
}

const MOST_LINES = 8;
const LINE_CHARS = 280;
/** Longer texts are cut before anything reads them; a secret at the cut is beyond what is shown. */
const READ_CHARS = 4000;
const PROJECT_CHARS = 60;

/** One message about all these notices, the urgent ones first. There is at least one. */
export function messageOf(notices: readonly Notice[], { run, recipe, project, hide }: MessageOf): Message {
  const ordered = [...notices].sort((one, other) => rank(one) - rank(other) || one.seq - other.seq);
  const events = NOTICE_EVENTS.filter((event) => notices.some((notice) => notice.events.includes(event)));
  const more = Math.max(0, ordered.length - MOST_LINES);
  const lines = ordered.slice(0, MOST_LINES).map(({ text }) => shortLine(text, hide));
  const outcome = notices.find((notice) => notice.outcome !== undefined)?.outcome;
  const last = notices.at(-1);
  return {
    id: `${run}:${last?.seq ?? 0}`,
    atMs: last?.atMs ?? 0,
    run,
    recipe,
    project: shortLine(project, hide),
    events,
    title: `Ralph (${recipe}) in ${truncateCodePoints(shortLine(project, hide), PROJECT_CHARS, '…')} ${whatHappened(events, outcome)}`,
    lines: [...lines, ...(more > 0 ? [`and ${more} more`] : []), `ralph runs show ${run}`],
    more,
  };
}

/** The end first: it says what the run came to. */
function rank({ events }: Notice): number {
  if (events.includes('ended')) return 0;
  return events.includes('needs_you') ? 1 : 2;
}

function whatHappened(events: readonly NoticeEvent[], outcome: Outcome | undefined): string {
  if (outcome !== undefined)
    return isDone(outcome) && outcome.exit_code === 0
      ? 'is done'
      : `has stopped (${outcomeText(outcome)})${events.includes('needs_you') ? ' and needs you' : ''}`;
  return events.includes('needs_you') ? 'needs you' : 'has news';
}

function shortLine(text: string, hide: (text: string) => string): string {
  return truncateCodePoints(printable(oneLine(hide(truncateCodePoints(text, READ_CHARS)))), LINE_CHARS, '…');
}
