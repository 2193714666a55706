import { currentDirectory, positiveDurationOf } from '../../cli/shared/flags.ts';
import { causeText, howToResume, isCutShort, outcomeText } from '../../journal/words/outcome.ts';
import { formatDuration } from '../../kit/pure/amounts.ts';
import { OperatorError } from '../../kit/pure/operator-error.ts';
import { printable } from '../../kit/pure/text.ts';
import { forecastText } from '../../limits/forecast.ts';
import { limitName } from '../../limits/retry-policy.ts';
import { io } from '../../process/io.ts';
import type { CurrentPlan, HeldTask } from '../../recipes/work/logs/current-plan.ts';
import type { WorkStatus } from '../../recipes/work/logs/work-status.ts';
import { type RunStatus, runStatus } from '../../runs/run-status.ts';
import { needsText } from '../console/question-text.ts';
import { clockTime } from '../terminal/paint.ts';
import { entryText } from './entry-text.ts';

interface StatusFlags {
  readonly json?: boolean;
  readonly staleAfter?: string;
}

export async function statusCommand(run: string | null, { json, staleAfter }: StatusFlags): Promise<number> {
  const staleAfterMs = positiveDurationOf('--stale-after', staleAfter);
  const status = await runStatus(currentDirectory(), run);
  const nowMs = Date.now();
  const logged = await workOf(status, nowMs);
  if (staleAfterMs !== null && logged === null) throw noHeartbeat(status);
  const lines = [...inWords(status, nowMs), ...(await storiesLinesOf(status)), ...(logged === null ? [] : workStatusLines(status, logged, nowMs))];
  io().stdout.write(json ? `${JSON.stringify({ ...status, ...logged })}\n` : `${lines.join('\n')}\n`);
  if (staleAfterMs === null || logged === null || !(await loadLogs()).isStale(logged.heartbeat, staleAfterMs)) return 0;
  io().stderr.write(`The heartbeat is ${logged.heartbeat.at === null ? 'missing' : `older than ${formatDuration(staleAfterMs)}`}.\n`);
  return 1;
}

// Loaded only for runs of ralph work and runs on stories.
const loadLogs = () => import('../../recipes/work/logs/log-entry.ts');

async function workOf(status: RunStatus, nowMs: number): Promise<WorkStatus | null> {
  return status.work ? await (await import('../../recipes/work/logs/work-status.ts')).workStatus(status, nowMs) : null;
}

async function storiesLinesOf({ stories }: RunStatus): Promise<readonly string[]> {
  return stories ? (await import('../../runs/command/stories-lines.ts')).storiesLines(stories) : [];
}

function noHeartbeat({ run_id, recipe }: RunStatus): OperatorError {
  return new OperatorError('no-heartbeat', `run ${run_id} is one of ralph ${recipe}, and only ralph work has a heartbeat`, {
    hint: 'Leave --stale-after out; its status says whether it is alive.',
    exitCode: 2,
  });
}

function inWords(status: RunStatus, nowMs: number): string[] {
  const cost = status.cost_usd === null ? (status.attempts === 0 ? 'none' : 'unknown') : `$${status.cost_usd.toFixed(2)}`;
  return [
    `Run ${status.run_id}: ${stateText(status, nowMs)}`,
    `Iterations ${status.iterations}/${status.maximum_iterations || 'no limit'}, attempts ${status.attempts}, time ${formatDuration(status.duration_ms)}, cost ${cost}`,
    ...forecastLine(status, nowMs),
    ...causeLines(status),
    `Folder ${status.run_folder}`,
    ...needsLine(status),
    ...adviceFor(status),
  ];
}

/** A loop of an earlier version does not say. */
function forecastLine({ forecast }: Partial<Pick<RunStatus, 'forecast'>>, nowMs: number): string[] {
  if (!forecast) return [];
  const { closes_at: closesAtMs, ...told } = forecast;
  return [`Forecast ${printable(forecastText({ ...told, closesAtMs }, clockTime(closesAtMs, nowMs)))}`];
}

/** A loop of an earlier version does not say. */
function needsLine({ needs }: Partial<Pick<RunStatus, 'needs'>>): string[] {
  return needs === undefined || needs.length === 0 ? [] : [`Waits for a person: ${needsText(needs)} (ralph inbox)`];
}

type Standing = Pick<RunStatus, 'run_id' | 'status' | 'stop_reason' | 'message'> &
  Partial<Pick<RunStatus, 'exit_code'>> &
  Partial<Pick<RunStatus, 'paused' | 'limit'>>;

/** A loop of an earlier version does not say whether it is paused or limited. */
export function stateText({ run_id, status, stop_reason, exit_code = null, message, paused, limit }: Standing, nowMs: number): string {
  if (status === 'stopped') return `${outcomeText({ stop_reason, exit_code })}: ${message}`;
  if (status === 'unknown') return 'unknown from here';
  if (status === 'running' && paused) return `paused: it starts nothing new. Continue it with: ${howToResume(run_id)}`;
  if (status !== 'running' || !limit || limit.until <= nowMs) return status;
  return `waiting until ${clockTime(limit.until, nowMs)} (${formatDuration(limit.until - nowMs)}). ${printable(limitName(limit.window))}.`;
}

/** The words of the provider are in the run's message when it has stopped because of them. */
function causeLines({ cause, message, done }: RunStatus): string[] {
  // A loop of an older version does not tell.
  if (!cause || done) return [];
  return [`Cause ${causeText(cause)}${message?.includes(cause.message) ? '' : `: ${printable(cause.message)}`}`];
}

function adviceFor({ status, run_id, stop_reason }: RunStatus): string[] {
  if (status === 'stopped' && isCutShort({ stop_reason })) return [`Continue it with: ${howToResume(run_id)}`];
  if (status === 'dead') return [`Its process is gone. Continue it with: ${howToResume(run_id)}`];
  if (status === 'unknown') return ['It was started on another host or in another container, whose processes cannot be seen from here. Ask there.'];
  return [];
}

const MOST_SHOWN = 10;

/** What `just ralph-status` and `just dag-status` print in seed 000. */
export function workStatusLines({ work, needs = [] }: RunStatus, { heartbeat, last_entries, plan_now }: WorkStatus, nowMs: number): readonly string[] {
  if (!work) return [];
  const { tasks } = work;
  const beat = heartbeat.at === null ? 'none' : `${formatDuration(heartbeat.age_ms ?? 0)} ago (${printable(heartbeat.at)})`;
  return [
    `Heartbeat ${beat}`,
    `Tries of this run: ${tasks.done} done, ${tasks.not_completed} not completed, ${tasks.failed} failed, ${tasks.unproven} not proven, ${tasks.conflicts} in conflict, ${tasks.parked} parked, ${tasks.interrupted} interrupted`,
    ...(work.left_behind === null ? [] : [`Your ${work.base} does not follow: ${printable(work.left_behind)}`]),
    ...planLines(work.plan, plan_now, needs, nowMs),
    ...section('Last entries', last_entries.map(entryText)),
  ];
}

function planLines(path: string, { problem, counts, held, ready, stale, left }: CurrentPlan, needs: Needs, nowMs: number): readonly string[] {
  return [
    `Plan ${printable(path)}: ${counts === null ? 'cannot be read' : countsText(counts)}`,
    ...(problem === null ? [] : [`  ${printable(problem)}`]),
    ...section(
      'Held',
      held.map((each) => heldText(each, nowMs)),
    ),
    ...section(
      'Ready',
      ready.map(({ task, title }) => `${printable(task)}  ${printable(title)}`),
    ),
    ...section(
      'Stale',
      stale.map(({ id, holder, heldMs }) => `${printable(id)} held for ${formatDuration(heldMs)} by ${printable(holder ?? 'an unknown holder')}: ${reset(id)}`),
    ),
    ...section(
      'Left for a person',
      left.map((each) => `${printable(each.task)} ${each.state}: ${wayOut(each, needs)}`),
    ),
  ];
}

type Needs = RunStatus['needs'];

/** The command that `ralph inbox` has for it. What another run has parked is in that run's inbox only. */
function wayOut({ task, state }: CurrentPlan['left'][number], needs: Needs): string {
  const need = needs.find((each) => each.task === task);
  if (need !== undefined) return printable(need.command);
  return state === 'parked' ? 'ralph inbox' : reset(task);
}

const reset = (task: string) => `ralph task reset ${printable(task)}`;

function countsText(counts: NonNullable<CurrentPlan['counts']>): string {
  const { complete, held, ready, waiting, blocked, parked, failed, conflict } = counts;
  const total = complete + held + ready + waiting + blocked + parked + failed + conflict;
  return `${complete} of ${total} complete, ${held} held, ${ready} ready, ${waiting} waiting, ${blocked} blocked, ${parked === 0 ? '' : `${parked} parked, `}${failed} failed, ${conflict} in conflict`;
}

const standing: Readonly<Record<HeldTask['liveness'], string>> = {
  alive: '',
  dead: ', whose process is gone',
  unknown: ', whose process cannot be seen from here',
  named: ', until it is completed or reset',
  unreadable: ': its register cannot be read',
  outside: ': in progress in the plan, held by nobody',
};

function heldText({ task, holder, lane, liveness, since }: HeldTask, nowMs: number): string {
  const by = holder === null ? '' : ` by ${printable(holder)}${lane === null ? '' : ` (w${lane})`}`;
  const time = since === null ? '' : ` for ${formatDuration(Math.max(0, nowMs - since))}`;
  return `${printable(task)}${by}${time}${standing[liveness]}`;
}

function section(title: string, lines: readonly string[]): readonly string[] {
  if (lines.length === 0) return [];
  const hidden = lines.length - MOST_SHOWN;
  return [
    `${title}${hidden > 0 ? ` (${lines.length})` : ''}`,
    ...lines.slice(0, MOST_SHOWN).map((line) => `  ${line}`),
    ...(hidden > 0 ? [`  and ${hidden} more`] : []),
  ];
}
