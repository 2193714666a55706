import { surroundings } from '../../process/surroundings.ts';
import { OperatorError } from '../../kit/pure/operator-error.ts';
import { resumeRun } from '../resume-run.ts';
import { askRun, type RunAsk } from '../manage/ask-run.ts';
import { findRun } from '../manage/find-run.ts';
import { pruneRuns } from '../manage/prune-runs.ts';
import { pausedRun, type RunAtWork, runAtWork } from '../manage/run-at-work.ts';
import { showRun } from '../manage/show-run.ts';
import { stopRun } from '../manage/stop-run.ts';
import { tailRun } from '../manage/tail-run.ts';
import { currentDirectory } from '../../cli/shared/current-directory.ts';
import { countOf, durationOf } from '../../cli/shared/flag-values.ts';
import { askLines } from './ask-lines.ts';
import { pruneLines } from './prune-lines.ts';
import { runJson, shownJson } from './run-json.ts';
import { type LocatedFlags, whereOf } from './runs-flags.ts';
import { showLines } from './show-lines.ts';
import { stopLines } from './stop-lines.ts';
import { openTailPrinter } from './tail-printer.ts';
import { untilSignalled } from '../../cli/shared/until-signalled.ts';
import { aroundRun } from '../../cli/shared/around-run.ts';
import { withFatalResult } from '../../cli/shared/fatal-result.ts';

const DAY_MS = 86_400_000;
/** A loop looks into its inbox every half second; one on a loaded machine later. */
const HEARING_MS = 20_000;

export async function showRunCommand(run: string, flags: LocatedFlags): Promise<number> {
  const shown = await showRun(currentDirectory(), run, whereOf(flags));
  return tell(flags, shownJson(shown), showLines(shown, Date.now()));
}

interface TailFlags extends LocatedFlags {
  readonly follow?: boolean;
  readonly lines?: string;
  readonly raw?: boolean;
}

export async function tailRunCommand(run: string, { follow = false, lines, raw = false, json = false, ...located }: TailFlags): Promise<number> {
  if (raw && json) throw new OperatorError('usage', '--raw and --json cannot both be', { hint: 'Leave one of them out.', exitCode: 2 });
  const form = json ? 'json' : raw ? 'raw' : 'text';
  const printer = openTailPrinter({ form, lines: countOf('--lines', lines) ?? 20, write: (line) => surroundings().stdout.write(`${line}\n`) });
  const told = await findRun(currentDirectory(), run, whereOf(located));
  using signalled = untilSignalled();
  const hasSpoken = await tailRun(told, printer, { follow, signal: signalled.signal });
  if (!hasSpoken) surroundings().stderr.write(`Run ${told.sight.run} has started no agent yet.\n`);
  return signalled.exitCode();
}

interface StopFlags extends LocatedFlags {
  readonly force?: boolean;
  readonly timeout?: string;
}

export async function stopRunCommand(run: string, { force = false, timeout, ...flags }: StopFlags): Promise<number> {
  const timeoutMs = durationOf('--timeout', timeout) ?? 30_000;
  const told = await findRun(currentDirectory(), run, whereOf(flags));
  const stopped = await stopRun(told, { force, timeoutMs });
  const isOver = stopped.answer !== 'running' && stopped.left.length === 0;
  tell(flags, { run_id: told.sight.run, answer: stopped.answer, stopped: isOver, left: stopped.left }, stopLines(told.sight.run, stopped));
  return isOver ? 0 : 1;
}

/** `ralph runs pause` and `ralph runs drain`. */
export async function askRunCommand(run: string | null, ask: 'pause' | 'drain', flags: LocatedFlags): Promise<number> {
  return await askAndTell(await runAtWork(currentDirectory(), run, whereOf(flags)), ask, flags);
}

async function askAndTell(brief: RunAtWork, ask: RunAsk, flags: LocatedFlags): Promise<number> {
  const answer = await askRun(brief, ask, HEARING_MS);
  tell(flags, { run_id: brief.run, asked: ask, answer }, askLines(brief.run, ask, answer));
  return answer === 'heard' || (answer === 'over' && ask === 'drain') ? 0 : 1;
}

interface ResumeFlags extends LocatedFlags {
  readonly quiet?: boolean;
  readonly verbose?: boolean;
}

/** One that is at work and paused is told to go on; it prints where it was started, not here. */
export async function resumeRunCommand(run: string | null, flags: ResumeFlags): Promise<number> {
  // Why there is none is told by the resume itself, as the result it is asked for.
  const paused = await pausedRun(currentDirectory(), run, whereOf(flags)).catch(() => null);
  if (paused !== null) return await askAndTell(paused, 'go-on', flags);
  return await (flags.json ? withFatalResult((onStarted) => resume(run, flags, onStarted)) : resume(run, flags, () => undefined));
}

async function resume(run: string | null, flags: ResumeFlags, onStarted: (runFolder: string) => void): Promise<number> {
  const { outcome, view, runFolder } = await resumeRun({ ...aroundRun(flags, onStarted), run, where: whereOf(flags) });
  if (flags.json) surroundings().stdout.write(`${JSON.stringify({ ...view, run_folder: runFolder })}\n`);
  return outcome.exit_code;
}

interface PruneFlags extends LocatedFlags {
  readonly olderThan?: string;
  readonly keepFailed?: boolean;
  readonly dryRun?: boolean;
}

export async function pruneRunsCommand({ olderThan, keepFailed = false, dryRun = false, ...flags }: PruneFlags): Promise<number> {
  const wish = { olderThanMs: durationOf('--older-than', olderThan) ?? 7 * DAY_MS, keepFailed, dryRun, nowMs: Date.now() };
  const pruned = await pruneRuns(currentDirectory(), whereOf(flags), wish);
  const object = { dry_run: dryRun, removed: pruned.removed.map(runJson), kept: pruned.kept.map(({ told, why }) => ({ ...runJson(told), why })) };
  return tell(flags, object, pruneLines(pruned, dryRun));
}

function tell({ json }: LocatedFlags, object: object, lines: readonly string[]): number {
  surroundings().stdout.write(json ? `${JSON.stringify(object)}\n` : `${lines.join('\n')}\n`);
  return 0;
}
