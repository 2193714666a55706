import { currentDirectory, positiveDurationOf } from '../../cli/shared/flags.ts';
import { howToResume } from '../../journal/words/outcome.ts';
import { formatDuration } from '../../kit/pure/duration.ts';
import { OperatorError } from '../../kit/pure/operator-error.ts';
import { printable } from '../../kit/pure/text.ts';
import { io } from '../../process/io.ts';
import type { CurrentPlan, HeldTask } from '../../recipes/work/logs/current-plan.ts';
import type { WorkStatus } from '../../recipes/work/logs/work-status.ts';
import { type RunStatus, runStatus } from '../../runs/run-status.ts';
import { entryText } from './entry-text.ts';

interface StatusFlags {
  readonly json?: boolean;
  readonly staleAfter?: string;
}

export async function statusCommand(run: string | null, { json, staleAfter }: StatusFlags): Promise<number> {
  const staleAfterMs = positiveDurationOf('--stale-after', staleAfter);
  const status = await runStatus(currentDirectory(), run);
  const nowMs = Date.now();
  const work = await workOf(status, nowMs);
  if (staleAfterMs !== null && work === null) throw noHeartbeat(status);
  const lines = [...inWords(status), ...(await storiesLinesOf(status)), ...(work === null ? [] : workStatusLines(status, work, nowMs))];
  io().stdout.write(json ? `${JSON.stringify({ ...status, ...work })}\n` : `${lines.join('\n')}\n`);
  if (staleAfterMs === null || work === null || !(await loadLogs()).isStale(work.heartbeat, staleAfterMs)) return 0;
  io().stderr.write(`The heartbeat is ${work.heartbeat.at === null ? 'missing' : `older than ${formatDuration(staleAfterMs)}`}.\n`);
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

function inWords(status: RunStatus): string[] {
  const cost = status.cost_usd === null ? 'unknown' : `$${status.cost_usd.toFixed(2)}`;
  return [
    `Run ${status.run_id}: ${stateOf(status)}`,
    `Iterations ${status.iterations}/${status.maximum_iterations || 'no limit'}, attempts ${status.attempts}, time ${formatDuration(status.duration_ms)}, cost ${cost}`,
    `Folder ${status.run_folder}`,
    ...adviceFor(status),
  ];
}

function stateOf({ status, stop_reason, message }: RunStatus): string {
  if (status === 'stopped') return `${stop_reason}: ${message}`;
  return status === 'unknown' ? 'unknown from here' : status;
}

function adviceFor({ status, run_id }: RunStatus): string[] {
  if (status === 'dead') return [`Its process is gone. Continue it with: ${howToResume(run_id)}`];
  if (status === 'unknown') return ['It was started on another host or in another container, whose processes cannot be seen from here. Ask there.'];
  return [];
}

const MOST_SHOWN = 10;

/** What `just ralph-status` and `just dag-status` print in seed 000. */
export function workStatusLines({ work }: RunStatus, { heartbeat, last_entries, plan_now }: WorkStatus, nowMs: number): readonly string[] {
  if (!work) return [];
  const { tasks } = work;
  const beat = heartbeat.at === null ? 'none' : `${formatDuration(heartbeat.age_ms ?? 0)} ago (${printable(heartbeat.at)})`;
  return [
    `Heartbeat ${beat}`,
    `Tasks of this run: ${tasks.done} done, ${tasks.not_completed} not completed, ${tasks.failed} failed, ${tasks.unproven} not proven, ${tasks.conflicts} in conflict`,
    ...(work.left_behind === null ? [] : [`Your ${work.base} does not follow: ${printable(work.left_behind)}`]),
    ...planLines(work.plan, plan_now, nowMs),
    ...section('Last entries', last_entries.map(entryText)),
  ];
}

function planLines(path: string, { problem, counts, held, ready, stale, left }: CurrentPlan, nowMs: number): readonly string[] {
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
      left.map(({ task, state }) => `${printable(task)} ${state}: ${reset(task)}`),
    ),
  ];
}

const reset = (task: string) => `ralph task reset ${printable(task)}`;

function countsText(counts: NonNullable<CurrentPlan['counts']>): string {
  const { complete, held, ready, waiting, blocked, failed, conflict } = counts;
  const total = complete + held + ready + waiting + blocked + failed + conflict;
  return `${complete} of ${total} complete, ${held} held, ${ready} ready, ${waiting} waiting, ${blocked} blocked, ${failed} failed, ${conflict} in conflict`;
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
