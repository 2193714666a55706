import { outcomeText } from '../../journal/words/outcome.ts';
import { costText, formatDuration, plural } from '../../kit/pure/amounts.ts';
import { factsOf as recipeFactsOf } from '../../settings/schema/recipe-facts.ts';
import { tokensText } from '../console/spent-text.ts';
import type { AgentView, NotProvenView, ProvenView, RunReport, SpentView, TaskView } from './report-view.ts';

/** A table of untrusted texts: whoever writes it down must escape every cell. */
export interface Table {
  readonly head: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

/** Shows an instant, in the time zone of whoever reads it. */
export type When = (atMs: number) => string;

/** One sentence: how the run stands. */
export function standingText({ status, message, exit_code, stop_reason, last_at }: RunReport, when: When): string {
  if (status === 'running') return `Still running: all of this is as of ${when(last_at)}.`;
  if (status === 'dead') return `Its process ended without a word after ${when(last_at)}. Nothing that it had recorded is lost.`;
  if (status === 'unknown') return `It may still run on a machine that cannot be seen from here; its last sign was at ${when(last_at)}.`;
  return `${message ?? ''} (${outcomeText({ stop_reason, exit_code })}, exit ${exit_code})`;
}

export function factsOf(report: RunReport, when: When): readonly (readonly [string, string])[] {
  const { totals, gates, sandbox, worktree } = report;
  return [
    ['Result', resultText(report)],
    ['Cost', `${costOf(totals)}${totals.cost_limit_unseen ? '; the cost limit cannot be kept: an agent tells neither cost nor tokens' : ''}`],
    ['Cost per proven result', totals.cost_per_proven_usd === null ? 'unknown' : costText(totals.cost_per_proven_usd)],
    ['Time', `${formatDuration(totals.duration_ms)}, from ${when(report.started_at)} to ${when(report.last_at)}`],
    ['Work', `${plural(totals.iterations, 'iteration')}, ${plural(totals.attempts, 'attempt')}, ${plural(totals.tools, 'tool call')}`],
    ['Checks', [...gates, ...(recipeFactsOf(report).hasTasks ? ['those of each task'] : [])].join(', ') || 'none'],
    ['Sandbox', sandbox.mode === 'guard' ? 'none, only the guard' : sandbox.mode],
    ...(worktree ? [['Worktree', `${worktree.path}, branch ${worktree.branch}`] as const] : []),
    ['Folder', report.run_folder],
  ].filter(([label]) => label !== 'Cost per proven result' || totals.proven > 0) as readonly (readonly [string, string])[];
}

/** `4 of 8 proven, 1 not proven, 3 not begun`; of a run without tasks or stories `1 proven, 0 not proven`. */
function resultText({ recipe, totals: { proven, not_proven, not_begun } }: RunReport): string {
  if (!recipeFactsOf({ recipe }).hasItems) return `${proven} proven, ${not_proven} not proven`;
  const unbegun = not_begun === 0 ? '' : `, ${not_begun} not begun`;
  return `${proven} of ${proven + not_proven + not_begun} proven, ${not_proven} not proven${unbegun}`;
}

/** The tasks and stories that no agent has worked on, in lines. */
export function notBegunTexts({ not_begun, totals }: RunReport): readonly string[] {
  const named = not_begun.slice(0, MOST_NOT_BEGUN).map(({ task, title }) => titled(task, title));
  const more = totals.not_begun - named.length;
  return more === 0 ? named : [...named, named.length === 0 ? plural(more, 'task') : `and ${more} more`];
}

const MOST_NOT_BEGUN = 50;

const nameIn = (report: Pick<RunReport, 'title'>, task: string | null) => task ?? report.title;

export function provenTable(report: RunReport, when: When): Table {
  const rows = report.proven.map((item) => [
    item.task === null ? report.title : titled(item.task, item.title),
    levelText(item),
    item.gates.map(gateText).join(', ') || 'none',
    item.commit?.slice(0, 10) ?? 'none',
    when(item.at),
  ]);
  return { head: ['What', 'Level', 'Checks', 'Commit', 'At'], rows };
}

export const titled = (task: string, title: string) => (title === '' || title === task ? task : `${task}: ${title}`);

function gateText({ command, tests, flaky }: ProvenView['gates'][number]): string {
  const notes = [...(tests === null ? [] : [plural(tests, 'test')]), ...(flaky ? ['flaky'] : [])];
  return notes.length === 0 ? command : `${command} (${notes.join(', ')})`;
}

const REVIEWS = { approved: 'reviewed', weak: 'reviewed by an agent that could run code', at_cap: 'approved at the review cap' } as const;

function levelText({ level, reviewed, changed, allowed_by }: ProvenView): string {
  return [
    ...(level === null ? [] : [level === 'place' ? 'green (in place)' : level]),
    ...(reviewed === null ? [] : [REVIEWS[reviewed]]),
    ...(allowed_by === null ? [] : [`${allowed_by} allowed changes of ${changed.join(', ')}`]),
  ].join(', ');
}

const STATES: Readonly<Record<NotProvenView['state'], string>> = {
  held: 'held',
  conflict: 'cannot be merged',
  failed: 'failed',
  unproven: 'claimed, not proven',
  unfinished: 'not finished',
  interrupted: 'interrupted',
  running: 'at work',
  unchecked: 'done, unproven',
  asks: 'asks a question',
};

export function notProvenTitle(report: RunReport, { task, title, state, waits_for_a_person }: NotProvenView): string {
  return `${task === null ? report.title : titled(task, title)} (${STATES[state]}${waits_for_a_person ? ', waits for you' : ''})`;
}

export function taskTable(report: RunReport): Table {
  const rows = report.by_task.map((task) => [
    nameIn(report, task.task),
    task.done ? 'yes' : task.begun ? 'no' : 'not begun',
    `${task.iterations}`,
    ...spentCells(task),
  ]);
  return { head: ['Task', 'Done', 'Iterations', ...SPENT], rows: [...rows, ['All', '', `${report.totals.iterations}`, ...spentCells(report.totals)]] };
}

export function agentTable({ by_agent }: RunReport): Table {
  const rows = by_agent.map((agent) => [agentName(agent), `${agent.attempts}`, ...spentCells(agent), failedText(agent.failed)]);
  return { head: ['Agent', 'Attempts', ...SPENT, 'Failed'], rows };
}

export const agentName = ({ agent, model }: { readonly agent: string; readonly model: string | null }) => (model === null ? agent : `${agent}, ${model}`);

export function failedText(failed: AgentView['failed']): string {
  return (
    Object.entries(failed)
      .map(([cause, count]) => `${count} ${cause.replaceAll('_', ' ')}`)
      .join(', ') || 'none'
  );
}

const SPENT = ['Time', 'Cost', 'Tokens'];

function spentCells(spent: SpentView & Pick<TaskView, 'duration_ms'>): readonly string[] {
  const { input, cache_read: cacheRead, cache_write: cacheWrite, output } = spent.tokens;
  return [formatDuration(spent.duration_ms), costOf(spent), tokensText({ input, cacheRead, cacheWrite, output }) || 'unknown'];
}

function costOf({ cost_usd, cost_estimated, attempts }: SpentView): string {
  if (cost_usd === null) return attempts === 0 ? 'none' : 'unknown';
  return cost_estimated ? `${costText(cost_usd)} (estimated)` : costText(cost_usd);
}

/** One line for each refused change, and how many there were of which no more is known. */
export function refusedTexts({ refused, refused_left_out }: RunReport): readonly string[] {
  const lines = refused.map(({ iteration, task, text }) => `${placeText(task, iteration)}: ${text}`);
  return [...lines, ...(refused_left_out === 0 ? [] : [`and ${refused_left_out} more`])];
}

function placeText(task: string | null, iteration: number | null): string {
  return [...(task === null ? [] : [task]), ...(iteration === null ? [] : [`iteration ${iteration}`])].join(', ') || 'the run';
}

export function timelineTable(report: RunReport, when: When, most: number): Table & { readonly leftOut: number } {
  const shown = report.timeline.slice(-most);
  const rows = shown.map(({ at, task, iteration, text }) => [when(at), task ?? '', iteration === null ? '' : `${iteration}`, text]);
  return { head: ['Time', 'Task', 'Iteration', 'What'], rows, leftOut: report.timeline.length - shown.length + report.timeline_left_out };
}
