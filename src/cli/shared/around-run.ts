import { oneLine } from '../../kit/pure/text.ts';
import { io } from '../../process/io.ts';
import { CLEAR_LINE } from '../../report/terminal/status-line.ts';
import { screenOf } from '../../runs/recipes/parts.ts';
import type { RunOptions } from '../../runs/run-options.ts';
import { currentDirectory } from './flags.ts';

interface Wishes {
  readonly quiet?: boolean;
  readonly verbose?: boolean;
}

/** What every run has that is started from a terminal. */
export function aroundRun(wishes: Wishes, onStarted: (runFolder: string) => void): RunOptions {
  return {
    cwd: currentDirectory(),
    async projections(runFolder: string, recipe) {
      onStarted(runFolder);
      const [{ openTerminalConsole }, { secretsInEnvironment }] = await Promise.all([
        import('../../report/terminal/terminal-console.ts'),
        import('../../sandbox/environment/open-mask.ts'),
      ]);
      return [openTerminalConsole(wishes, runFolder, await screenOf(recipe), secretsInEnvironment())];
    },
    obeySignals: true,
    signal: new AbortController().signal,
    warn: tellWarning,
  };
}

export function tellWarning(text: string): void {
  // A status line may stand there.
  const { stderr } = io();
  stderr.write(`${stderr.isTTY ? CLEAR_LINE : ''}warning: ${oneLine(text)}\n`);
}
