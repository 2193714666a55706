import { currentDirectory } from '../../cli/shared/flags.ts';
import type { Projection } from '../../engine/contracts.ts';
import { io } from '../../process/io.ts';
import type { RecipeScreen } from '../../report/console/recipe-screen.ts';
import { openConsole } from '../../report/terminal/console.ts';
import { terminalLook } from '../../report/terminal/terminal-look.ts';
import { secretsInEnvironment } from '../../sandbox/environment/open-mask.ts';
import { followRuns } from '../follow-runs.ts';
import { openReports } from '../read-report.ts';
import { viewsOf } from './watch.ts';
import { watchOnTerminal } from './watch-terminal.ts';

interface WatchedHere {
  readonly runsFolder: string;
  readonly run: string;
  readonly screen: RecipeScreen;
  /** Prints what could not be printed while the screen was open. */
  readonly warn: () => void;
}

/** The screen of `ralph watch` for the run of this very process. When the run ends, the screen closes and the summary is printed as usual. */
export function openWatchedRun({ runsFolder, run, screen, warn }: WatchedHere): Projection {
  const { stderr } = io();
  const held: string[] = [];
  const lines = openConsole({
    ...terminalLook(stderr),
    ...{ write: (text: string) => void held.push(text), quiet: false, verbose: false, secrets: secretsInEnvironment() },
    ...{ runFolder: `${runsFolder}/${run}`, nowMs: Date.now, screen },
  });
  const control = new AbortController();
  let watching: Promise<void> | null = null;
  return {
    onEvent(event, state) {
      // Only what comes last is printed.
      if (event.body.type === 'run.stopped') held.length = 0;
      lines.onEvent(event, state);
      if (state.stopped === null) held.length = 0;
      watching ??= watch(runsFolder, run, control.signal);
    },
    async close() {
      control.abort();
      await watching;
      await lines.close?.();
      stderr.write(held.join(''));
      warn();
    },
  };
}

async function watch(runsFolder: string, run: string, signal: AbortSignal): Promise<void> {
  using runs = followRuns([runsFolder], run, currentDirectory());
  // As a signal from the terminal would be: the first one lets running work finish, the second one stops now.
  const interrupt = () => void process.kill(process.pid, 'SIGINT');
  await watchOnTerminal({ look: () => viewsOf(runs, Date.now()), report: openReports([runsFolder]), interrupt }, signal);
}
