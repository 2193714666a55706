import { basename, dirname } from 'node:path';
import { printWarning, terminalRunOptions } from '../../cli/shared/terminal-run-options.ts';
import type { Projection } from '../../engine/contracts.ts';
import { OperatorError } from '../../kit/pure/operator-error.ts';
import { io } from '../../process/io.ts';
import { canRewriteLines } from '../../report/terminal/terminal-look.ts';
import type { RunOptions } from '../../runs/run-options.ts';

/** How a run that is started from a terminal is shown. */
export interface ShownFlags {
  readonly json?: boolean;
  readonly quiet?: boolean;
  readonly verbose?: boolean;
  readonly ui?: boolean;
  readonly watch?: boolean;
  readonly plain?: boolean;
}

type OnStarted = (runFolder: string) => void;

/** As lines, or as the screen of `ralph watch`; and also as a page. Nothing of screen and page is loaded unless it is wanted. */
export function shownRunOptions(flags: ShownFlags, onStarted: OnStarted, workers = 1): RunOptions {
  const lines = terminalRunOptions(flags, onStarted);
  const late: string[] = [];
  const isWatched = wantsScreen(flags, workers);
  return {
    ...lines,
    // The screen would hide it.
    ...(isWatched && { warn: (text: string) => void late.push(text) }),
    async projections(runFolder, recipe) {
      const shown = isWatched ? [await openScreen(runFolder, recipe, { onStarted, late })] : await lines.projections(runFolder, recipe);
      return flags.ui ? [...shown, await openPage(lines.cwd, runFolder)] : shown;
    },
  };
}

function wantsScreen({ json, quiet, verbose, watch = false, plain = false }: ShownFlags, workers: number): boolean {
  if (watch && plain) throw new OperatorError('usage', '--watch and --plain exclude each other', { hint: 'Leave one of them out.', exitCode: 2 });
  const { stdin, stdout, stderr } = io();
  const isTerminal = stdin.isTTY === true && canRewriteLines(stdout) && canRewriteLines(stderr);
  if (watch && !isTerminal)
    throw new OperatorError('usage', '--watch needs a terminal', { hint: 'Leave it out, or use ralph watch in a terminal.', exitCode: 2 });
  return watch || (isTerminal && workers > 1 && !plain && !json && !quiet && !verbose);
}

interface Around {
  readonly onStarted: OnStarted;
  readonly late: readonly string[];
}

async function openScreen(runFolder: string, recipe: Parameters<RunOptions['projections']>[1], { onStarted, late }: Around): Promise<Projection> {
  onStarted(runFolder);
  const { openWatchedRun } = await import('./watched-projection.ts');
  const { screenOf } = await import('../../runs/recipes/parts.ts');
  return openWatchedRun({ runsFolder: dirname(runFolder), run: basename(runFolder), screen: await screenOf(recipe), warn: () => late.forEach(printWarning) });
}

/** The page ends with the run; `ralph ui` shows it again. */
async function openPage(cwd: string, runFolder: string): Promise<Projection> {
  const { servePage } = await import('../../web/command/serve-page.ts');
  const control = new AbortController();
  const page = await servePage({ cwd, host: '127.0.0.1', port: null, isRoot: false, readOnly: false, run: basename(runFolder) }, control.signal);
  printLine(`Mission control: ${page.address}`);
  return {
    onEvent: () => undefined,
    async close() {
      control.abort();
      await page[Symbol.asyncDispose]();
    },
  };
}

const printLine = (text: string) => void io().stderr.write(`${text}\n`);
