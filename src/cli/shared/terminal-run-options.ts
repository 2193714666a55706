import { oneLine } from '../../kit/pure/text.ts';
import { io } from '../../process/io.ts';
import { CLEAR_LINE } from '../../report/terminal/status-line.ts';
import { screenOf } from '../../runs/recipes/parts.ts';
import type { RunOptions } from '../../runs/run-options.ts';
import { currentDirectory } from './flags.ts';

interface OutputFlags {
  readonly quiet?: boolean;
  readonly verbose?: boolean;
}

/** The options of every run that is started from a terminal. */
export function terminalRunOptions(output: OutputFlags, onStarted: (runFolder: string) => void): RunOptions {
  return {
    cwd: currentDirectory(),
    async projections(runFolder: string, recipe) {
      onStarted(runFolder);
      const [{ openTerminalConsole }, { secretsInEnvironment }] = await Promise.all([
        import('../../report/terminal/terminal-console.ts'),
        import('../../sandbox/environment/open-mask.ts'),
      ]);
      return [openTerminalConsole(output, runFolder, await screenOf(recipe), secretsInEnvironment())];
    },
    obeySignals: true,
    signal: new AbortController().signal,
    warn: printWarning,
    say: (text) => void io().stderr.write(`${oneLine(text)}\n`),
  };
}

export function printWarning(text: string): void {
  // A status line may be on the screen.
  const { stderr } = io();
  stderr.write(`${stderr.isTTY ? CLEAR_LINE : ''}warning: ${oneLine(text)}\n`);
}
