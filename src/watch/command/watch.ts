import { setTimeout as sleep } from 'node:timers/promises';
import { currentDirectory } from '../../cli/shared/flags.ts';
import { untilSignalled } from '../../cli/shared/until-signalled.ts';
import { openSecretHider } from '../../kit/pure/hide-secrets.ts';
import { OperatorError } from '../../kit/pure/operator-error.ts';
import { oneLine, printable } from '../../kit/pure/text.ts';
import { io } from '../../process/io.ts';
import { needView } from '../../report/needs/needs.ts';
import { clockTime, paint } from '../../report/terminal/paint.ts';
import { canRewriteLines, terminalLook } from '../../report/terminal/terminal-look.ts';
import { runsFolders } from '../../runs/manage/runs-folders.ts';
import { secretsInEnvironment } from '../../sandbox/environment/open-mask.ts';
import { chooseRunIn } from '../../store/run-home.ts';
import { type FollowedRuns, followRuns } from '../follow-runs.ts';
import { openReports } from '../read-report.ts';
import { watchScreen } from '../view/watch-screen.ts';
import { type WatchView, watchView } from '../view/watched-run.ts';
import { watchOnTerminal } from './watch-terminal.ts';

interface WatchFlags {
  readonly once?: boolean;
  readonly json?: boolean;
  readonly plain?: boolean;
}

const EVERY_MS = 500;

/** `copies`: where copies of runs lie that are at work elsewhere. */
export async function watchCommand(
  wanted: string | null,
  { once = false, json = false, plain = false }: WatchFlags,
  copies: readonly { readonly runsFolder: string }[] | null = null,
): Promise<number> {
  const cwd = currentDirectory();
  const folders = copies?.map(({ runsFolder }) => runsFolder) ?? (await runsFolders(cwd));
  const run = wanted === null ? null : (await chooseRunIn(wanted, folders, cwd)).run;
  using signalled = untilSignalled();
  using runs = followRuns(folders, run, cwd);
  const look = async () => viewsOf(runs, Date.now());
  const first = await look();
  if (first.length === 0)
    throw new OperatorError('run-unknown', 'there is no run here', {
      hint: 'Start one, for example: ralph run "Make the tests pass, then answer DONE"',
      exitCode: 2,
    });
  if (json) io().stdout.write(`${JSON.stringify({ runs: first.map(viewJson) })}\n`);
  else if (once) printScreen(first);
  else if (plain || !canRewriteLines(io().stdout) || io().stdin.isTTY !== true) await printChanges(look, first, copies !== null, signalled.signal);
  else await watchOnTerminal({ look, report: openReports(folders) }, signalled.signal);
  return signalled.exitCode();
}

export async function viewsOf(runs: FollowedRuns, nowMs: number): Promise<readonly WatchView[]> {
  return (await runs.look(nowMs)).flatMap((run) => watchView(run, nowMs) ?? []);
}

/** Needs in the spelling of all other commands. */
function viewJson({ needs, ...view }: WatchView) {
  return { ...view, needs: needs.map(needView) };
}

function printScreen(views: readonly WatchView[]): void {
  const { width, colour } = terminalLook(io().stdout);
  const hide = openSecretHider(secretsInEnvironment());
  const lines = watchScreen(views, null, { width: width || 120, height: Number.POSITIVE_INFINITY, hide }, Date.now());
  io().stdout.write(lines.map((line) => `${paint(line, { width, colour, hide })}\n`).join(''));
}

/** One line for each change, until no run is at work. Whether one lives that is at work elsewhere nobody here knows. */
async function printChanges(look: () => Promise<readonly WatchView[]>, first: readonly WatchView[], isElsewhere: boolean, signal: AbortSignal): Promise<void> {
  const hide = openSecretHider(secretsInEnvironment());
  let shown = new Set<string>();
  for (let views = first; ; views = await look()) {
    const lines = views.flatMap(changeLines);
    for (const line of lines) if (!shown.has(line)) io().stdout.write(`${clockTime(Date.now(), Date.now())} ${hide(line)}\n`);
    shown = new Set(lines);
    if (signal.aborted || views.every(({ standing }) => standing !== 'running' && !(isElsewhere && standing === 'unknown'))) return;
    await sleep(EVERY_MS, undefined, { signal }).catch(() => undefined);
  }
}

/** Without ages and costs, which always change. */
function changeLines({ run_id, recipe, status, progress, workers, needs }: WatchView): readonly string[] {
  const done = progress === null ? '' : `, ${progress.done} of ${progress.total} ${progress.of}`;
  return [
    `run ${run_id} (ralph ${recipe}): ${status}${done}`,
    ...workers.map(({ worker, iteration, subject, doing }) => `run ${run_id} w${worker} ${subject || `iteration ${iteration}`}: ${doing}`),
    ...needs.map(({ kind, task, text, command }) => `run ${run_id} needs you (${kind}${task === null ? '' : `, ${task}`}): ${text} [${command}]`),
  ].map(oneLinePrintable);
}

const oneLinePrintable = (text: string) => printable(oneLine(text));
