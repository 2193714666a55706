import { type Spending, totalCost } from '../../journal/state/spending.ts';
import { isDone } from '../../journal/words/outcome.ts';
import { costPerProven } from '../../limits/cost-per-proven.ts';
import { costLimitIsUnseen } from '../../limits/money.ts';
import { ownWorktreeOf, planPathOf, specFileOf, storiesSpecOf, taskSpecOf } from '../../settings/schema/recipe-facts.ts';
import type { RunSettings } from '../../settings/schema/run-settings.ts';
import { workedMs } from '../console/spent-text.ts';
import type { BoundedList } from '../history/bounded-list.ts';
import { type AgentFigures, type ItemFigures, itemsSoFar, WHOLE_RUN } from '../history/figures.ts';
import type { RunHistory } from '../history/run-history.ts';
import { sandboxView } from '../views/run-view.ts';
import { nextCommands } from './next-commands.ts';
import { reportedQuestions } from './open-questions.ts';
import type { AgentView, RunReport, SpentView, TaskView, TotalsView } from './report-view.ts';
import { isBegun, notBegun, notProven, proven } from './results.ts';

/** What the journal does not say. */
export interface Standing {
  readonly status: RunReport['status'];
  readonly runFolder: string;
}

/** The report of any run: a view of its history, without numbers of its own. */
export function runReport(history: RunHistory, { status, runFolder }: Standing): RunReport {
  const { state, lastMs } = history;
  const { run, stopped } = state;
  if (!run) throw new Error('A run that never started has no report.');
  const { settings } = run;
  const worktree = ownWorktreeOf(settings);
  const results = { proven: proven(history), not_proven: notProven(history, status) };
  const unbegun = notBegun(history);
  const questions = reportedQuestions(state);
  return {
    run_id: run.id,
    recipe: settings.recipe,
    title: titleOf(settings),
    status,
    stop_reason: stopped?.stop_reason ?? null,
    message: stopped?.message ?? null,
    exit_code: stopped?.exit_code ?? null,
    done: stopped !== null && isDone(stopped),
    started_at: run.startedAtMs,
    last_at: lastMs,
    run_folder: runFolder,
    worktree: worktree && { path: worktree.path, branch: worktree.branch },
    sandbox: sandboxView(settings.wall, state.refused),
    gates: settings.gates.map(({ command }) => command),
    totals: totalsOf(history, results, unbegun.count),
    ...results,
    not_begun: unbegun.named,
    questions,
    next: nextCommands({ state, status, questions, ...results }),
    ...listsOf(history),
    by_task: itemsSoFar(history.figures).map((item) => taskView(item, history)),
    by_agent: [...history.figures.agents.values()].map((agent) => agentView(agent, state.spent)),
  };
}

const TITLE_CHARS = 120;

export function titleOf(settings: RunSettings): string {
  const { prompt } = settings;
  const task = taskSpecOf(settings);
  const name = planPathOf(settings) ?? storiesSpecOf(settings)?.plan ?? (task && `${task.project}/${task.task}`) ?? specFileOf(settings)?.path;
  const text = name ?? (prompt.from === 'text' ? prompt.text : prompt.path);
  return (text.trim().split('\n')[0] ?? '').slice(0, TITLE_CHARS);
}

function totalsOf({ state }: RunHistory, results: Pick<RunReport, 'proven' | 'not_proven'>, notBegunCount: number): TotalsView {
  const spent = spentView(state.spent, state.spent);
  return {
    proven: results.proven.length,
    not_proven: results.not_proven.length,
    not_begun: notBegunCount,
    iterations: state.opened,
    duration_ms: workedMs(state),
    ...spent,
    cost_limit_unseen: state.run !== null && costLimitIsUnseen(state.spent, state.run.settings),
    cost_per_proven_usd: costPerProven(state),
  };
}

/** An attempt of unknown cost is priced by the attempts of the whole run, so that the parts add up. */
function spentView(part: Spending, whole: Spending): SpentView {
  const cost = totalCost(part, whole);
  return {
    attempts: part.attempts,
    cost_usd: cost?.usd ?? null,
    cost_estimated: cost?.isEstimated ?? false,
    tokens: { input: part.input, cache_read: part.cacheRead, cache_write: part.cacheWrite, output: part.output },
    tools: part.tools,
    tool_errors: part.toolErrors,
  };
}

const nameOf = (item: string) => (item === WHOLE_RUN ? null : item);

function taskView(item: ItemFigures, history: RunHistory): TaskView {
  const { id, title, iterations, workedMs: duration_ms, spent, doneAtMs } = item;
  const begun = isBegun(item, history);
  return { task: nameOf(id), title, done: doneAtMs !== null, begun, iterations, duration_ms, ...spentView(spent, history.state.spent) };
}

function agentView({ agent, model, iterations, workedMs: duration_ms, spent, causes }: AgentFigures, whole: Spending): AgentView {
  return { agent, model, iterations, duration_ms, failed: Object.fromEntries(causes), ...spentView(spent, whole) };
}

/** More than fit on a page. */
const MOST_ITERATIONS = 500;

type Lists = Pick<RunReport, 'refused' | 'refused_left_out' | 'timeline' | 'timeline_left_out' | 'iterations' | 'iterations_left_out'>;

function listsOf({ refusals, timeline, iterations, lastMs, state }: RunHistory): Lists {
  return {
    refused: all(refusals).map(({ kind, iteration, item, text }) => ({ kind, iteration, task: nameOf(item), text })),
    refused_left_out: refusals.leftOut,
    timeline: all(timeline).map(({ atMs, iteration, item, tone, text }) => ({ at: atMs, iteration, task: nameOf(item), tone, text })),
    timeline_left_out: timeline.leftOut,
    iterations: iterations.slice(-MOST_ITERATIONS).map(({ iteration, worker, item, openedAtMs, closedAtMs, result }) => ({
      ...{ iteration, worker, task: nameOf(item) },
      ...{ from: openedAtMs, to: closedAtMs ?? lastMs, result },
    })),
    iterations_left_out: Math.max(0, state.opened - MOST_ITERATIONS),
  };
}

const all = <T>({ first, last }: BoundedList<T>): readonly T[] => [...first, ...last];
