import { countOf, currentDirectory, durationOf } from '../../cli/shared/flags.ts';
import { withFatalResult } from '../../cli/shared/print-error.ts';
import { terminalRunOptions } from '../../cli/shared/terminal-run-options.ts';
import { untilSignalled } from '../../cli/shared/until-signalled.ts';
import { endingText } from '../../journal/ending-text.ts';
import { howToResume } from '../../journal/words/outcome.ts';
import { formatBytes, formatDuration } from '../../kit/pure/amounts.ts';
import { OperatorError } from '../../kit/pure/operator-error.ts';
import { printable } from '../../kit/pure/text.ts';
import { io } from '../../process/io.ts';
import { WHOLE_RUN } from '../../report/history/figures.ts';
import { checksIn, costOfIteration, type IterationRecord } from '../../report/history/run-history.ts';
import { clockTime } from '../../report/terminal/paint.ts';
import { alignRows } from '../../report/views/align-rows.ts';
import { type ActiveRunBrief, findActiveRun, findPausedRun } from '../manage/active-run.ts';
import { findRun } from '../manage/find-run.ts';
import { type PrunedRuns, pruneRuns } from '../manage/prune-runs.ts';
import { type OperatorRequest, type RequestResult, sendRequest } from '../manage/send-request.ts';
import { type ShownRun, showRun } from '../manage/show-run.ts';
import { type StopAnswer, type StoppedRun, stopRun } from '../manage/stop-run.ts';
import { tailRun } from '../manage/tail-run.ts';
import { resumeRun } from '../resume-run.ts';
import { standingText } from './list-lines.ts';
import { type LocatedFlags, runJson, whereOf } from './runs-list.ts';
import { storiesLines } from './stories-lines.ts';
import { openTailPrinter } from './tail-printer.ts';

const DAY_MS = 86_400_000;
/** A loop checks its inbox every half second; on a loaded machine it may take longer. */
const HEARING_MS = 20_000;

export async function showRunCommand(run: string | null, flags: LocatedFlags): Promise<number> {
  const shown = await showRun(currentDirectory(), run, whereOf(flags));
  return tell(flags, shownJson(shown), showLines(shown, Date.now()));
}

function shownJson({ told, view, iterations, children, files }: ShownRun): object {
  const { status: _status, iterations: count, ...rest } = view;
  return { ...rest, ...runJson(told), iteration_count: count, iterations: iterations.map(iterationJson), children: children.map(runJson), files };
}

function iterationJson(record: IterationRecord): object {
  const { iteration, item, openedAtMs, closedAtMs, result, accepted, attempts } = record;
  return {
    iteration,
    task: item === WHOLE_RUN ? null : item,
    opened_at: openedAtMs,
    closed_at: closedAtMs,
    result,
    accepted,
    checks: checksIn(record),
    cost_usd: costOfIteration(attempts),
    attempts: attempts.map(({ attempt, role, verdict, why, cause, ending, spent, tools, duration_ms }) => ({
      attempt: `${iteration}.${attempt}`,
      role,
      verdict,
      why,
      cause: cause ?? null,
      ending,
      cost_usd: spent?.cost_usd ?? null,
      tools,
      duration_ms,
    })),
  };
}

interface TailFlags extends LocatedFlags {
  readonly follow?: boolean;
  readonly lines?: string;
  readonly raw?: boolean;
}

export async function tailRunCommand(run: string | null, { follow = false, lines, raw = false, json = false, ...located }: TailFlags): Promise<number> {
  if (raw && json) throw new OperatorError('usage', '--raw and --json exclude each other', { hint: 'Leave one of them out.', exitCode: 2 });
  const form = json ? 'json' : raw ? 'raw' : 'text';
  const printer = openTailPrinter({ form, lines: countOf('--lines', lines) ?? 20, write: (line) => io().stdout.write(`${line}\n`) });
  const entry = await findRun(currentDirectory(), run, whereOf(located));
  using signalled = untilSignalled();
  const hasSpoken = await tailRun(entry, printer, { follow, signal: signalled.signal });
  if (!hasSpoken) io().stderr.write(`Run ${entry.sight.run} has started no agent yet.\n`);
  return signalled.exitCode();
}

interface StopFlags extends LocatedFlags {
  readonly force?: boolean;
  readonly timeout?: string;
}

export async function stopRunCommand(run: string, { force = false, timeout, ...flags }: StopFlags): Promise<number> {
  const timeoutMs = durationOf('--timeout', timeout) ?? 30_000;
  const entry = await findRun(currentDirectory(), run, whereOf(flags));
  const stopped = await stopRun(entry, { force, timeoutMs });
  const isOver = stopped.answer !== 'running' && stopped.left.length === 0;
  tell(flags, { run_id: entry.sight.run, answer: stopped.answer, stopped: isOver, left: stopped.left }, stopLines(entry.sight.run, stopped));
  return isOver ? 0 : 1;
}

export async function askRunCommand(run: string | null, ask: 'pause' | 'drain', flags: LocatedFlags): Promise<number> {
  return await askAndTell(await findActiveRun(currentDirectory(), run, whereOf(flags)), ask, flags);
}

async function askAndTell(brief: ActiveRunBrief, ask: OperatorRequest, flags: LocatedFlags): Promise<number> {
  const answer = await sendRequest(brief, ask, HEARING_MS);
  tell(flags, { run_id: brief.run, asked: ask, answer }, askLines(brief.run, ask, answer));
  return answer === 'heard' || (answer === 'over' && ask === 'drain') ? 0 : 1;
}

interface ResumeFlags extends LocatedFlags {
  readonly quiet?: boolean;
  readonly verbose?: boolean;
}

/** A paused run that is still active is told to continue; its output appears where it was started, not here. */
export async function resumeRunCommand(run: string | null, flags: ResumeFlags): Promise<number> {
  // If no run is found, the resume below reports why, in the output format the operator asked for.
  const paused = await findPausedRun(currentDirectory(), run, whereOf(flags)).catch(() => null);
  if (paused !== null) return await askAndTell(paused, 'go-on', flags);
  return await (flags.json ? withFatalResult((onStarted) => resume(run, flags, onStarted)) : resume(run, flags, () => undefined));
}

async function resume(run: string | null, flags: ResumeFlags, onStarted: (runFolder: string) => void): Promise<number> {
  const { outcome, view, runFolder } = await resumeRun({ ...terminalRunOptions(flags, onStarted), run, where: whereOf(flags) });
  if (flags.json) io().stdout.write(`${JSON.stringify({ ...view, run_folder: runFolder })}\n`);
  return outcome.exit_code;
}

interface PruneFlags extends LocatedFlags {
  readonly olderThan?: string;
  readonly keepFailed?: boolean;
  readonly dryRun?: boolean;
}

export async function pruneRunsCommand({ olderThan, keepFailed = false, dryRun = false, ...flags }: PruneFlags): Promise<number> {
  const request = { olderThanMs: durationOf('--older-than', olderThan) ?? 7 * DAY_MS, keepFailed, dryRun, nowMs: Date.now() };
  const pruned = await pruneRuns(currentDirectory(), whereOf(flags), request);
  const removed = pruned.removed.map(({ told, refs }) => ({ ...runJson(told), refs }));
  const object = { dry_run: dryRun, removed, kept: pruned.kept.map(({ told, why }) => ({ ...runJson(told), why })) };
  return tell(flags, object, pruneLines(pruned, dryRun));
}

function tell({ json }: LocatedFlags, object: object, lines: readonly string[]): number {
  io().stdout.write(json ? `${JSON.stringify(object)}\n` : `${lines.join('\n')}\n`);
  return 0;
}

export function pruneLines({ removed, kept }: PrunedRuns, dryRun: boolean): readonly string[] {
  if (removed.length === 0 && kept.length === 0) return ['There are no runs here.'];
  const did = dryRun ? 'Would remove' : 'Removed';
  return [
    ...removed.flatMap(({ told, refs }) =>
      [told.sight.run, ...refs].map((name, index) => `${index > 0 ? '  with what did not land:' : did} ${printable(name)}`),
    ),
    ...kept.map(({ told, why }) => `Kept ${printable(told.sight.run)}: ${printable(why)}`),
  ];
}

const WORDS = {
  over: 'had already ended',
  swept: 'was dead; all its processes have ended',
  stopped: 'has stopped',
  killed: 'was killed, with all its processes',
  running: 'is still running; --force kills it',
} as const satisfies Record<StopAnswer, string>;

export function stopLines(run: string, { answer, left }: StoppedRun): readonly string[] {
  if (left.length === 0) return [`Run ${run} ${WORDS[answer]}.`];
  return [`Run ${run} has ended, but these processes could not be stopped: ${left.join(', ')}.`];
}

const HEARD: Readonly<Record<OperatorRequest, (run: string) => string>> = {
  pause: (run) => `is paused: it finishes what has begun and starts nothing new. Continue it with: ${howToResume(run)}`,
  drain: () => 'finishes what has begun, then stops.',
  'go-on': () => 'continues.',
};

export function askLines(run: string, ask: OperatorRequest, answer: RequestResult): readonly string[] {
  if (answer === 'heard') return [`Run ${run} ${HEARD[ask](run)}`];
  if (answer === 'over') return [`Run ${run} ended before it read the message.`];
  if (answer === 'refused') return [`Run ${run} was started by a version of ralph that does not support this.`];
  return [`Run ${run} has not read the message yet; it is in the inbox of the run.`];
}

const MOST_FILES = 12;

/** The page of `ralph runs show`. */
export function showLines(shown: ShownRun, nowMs: number): readonly string[] {
  const { told, view, iterations, children } = shown;
  const { sight, parent } = told;
  const cost = view.cost_usd === null ? 'unknown' : `$${view.cost_usd.toFixed(2)}`;
  return [
    `Run ${sight.run} (${sight.recipe}): ${standingText(told)}${view.message === null ? '' : `: ${printable(view.message)}`}`,
    `Started ${clockTime(sight.startedAtMs, nowMs)} in ${printable(sight.cwd)}, time ${formatDuration(view.duration_ms)}, cost ${cost}`,
    ...(sight.task === null ? [] : [`Task ${sight.task.project}/${sight.task.task} in ${printable(sight.task.folder)}`]),
    ...(parent === null ? [] : [`Parent run ${printable(parent)}`]),
    ...(sight.worktree === null ? [] : [`Worktree ${printable(sight.worktree)}`]),
    ...(view.stories ? storiesLines(view.stories) : []),
    ...adviceFor(shown),
    ...section('Iterations', iterationLines(iterations)),
    ...section(
      'Children',
      children.map((child) => `${printable(child.sight.run)}  ${standingText(child)}`),
    ),
    ...section('Files', fileLines(shown)),
  ];
}

function adviceFor({ told: { sight, state, isRecorded } }: ShownRun): readonly string[] {
  if (state !== 'dead' && state !== 'waiting' && isRecorded) return [];
  return [`Continue it with: ${howToResume(sight.run)}`];
}

function section(title: string, lines: readonly string[]): readonly string[] {
  return lines.length === 0 ? [] : ['', title, ...lines.map((line) => `  ${line}`)];
}

/** With the tasks or stories, if they are about some. */
function iterationLines(iterations: readonly IterationRecord[]): readonly string[] {
  if (iterations.length === 0) return [];
  const hasItems = iterations.some(({ item }) => item !== WHOLE_RUN);
  const rows = iterations.flatMap((record) =>
    iterationRows(record).map(([number = '', ...rest], index) => [number, ...(hasItems ? [index === 0 ? printable(record.item) : ''] : []), ...rest]),
  );
  return alignRows([['#', ...(hasItems ? ['TASK'] : []), 'RESULT', 'ENDING', 'TIME', 'COST'], ...rows]);
}

/** One row for each attempt; the first row also shows what belongs to the iteration. */
function iterationRows(record: IterationRecord): readonly (readonly string[])[] {
  const { iteration, attempts, openedAtMs, closedAtMs } = record;
  const [name, result] = [`${iteration}`, resultText(record)];
  if (attempts.length === 0) return [[name, result, '', closedAtMs === null ? '' : formatDuration(closedAtMs - openedAtMs), '']];
  return attempts.map(({ role, verdict, ending, why, duration_ms, spent }, index) => [
    index === 0 ? name : '',
    index === 0 ? result : '',
    `${role === 'work' ? '' : `${role} `}${verdict}: ${printable(why || endingText(ending))}`,
    formatDuration(duration_ms),
    spent?.cost_usd == null ? '' : `$${spent.cost_usd.toFixed(2)}`,
  ]);
}

/** Green alone would say that checks were green. */
function resultText(record: IterationRecord): string {
  if (record.result === null) return 'open';
  const by = record.attempts.at(-1)?.claim?.by;
  if (record.result === 'red' && (by === 'blocked' || by === 'question')) return 'asks';
  return record.result === 'green' && checksIn(record) === 0 ? 'ok, no checks' : record.result;
}

function fileLines({ told, files }: ShownRun): readonly string[] {
  const listed = files.slice(0, MOST_FILES).map(({ path, bytes }) => `${printable(path)}  ${formatBytes(bytes)}`);
  const more = files.length > MOST_FILES ? [`and ${files.length - MOST_FILES} more`] : [];
  return [printable(told.sight.folder), ...listed, ...more];
}
