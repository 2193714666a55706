import type { Projection } from '../../engine/contracts.ts';
import { io } from '../../process/io.ts';
import type { RecipeScreen } from '../console/recipe-screen.ts';
import { openConsole } from './console.ts';
import { openStderrWriter } from './stderr-writer.ts';
import { canRewriteLines, terminalLook } from './terminal-look.ts';

interface ConsoleFlags {
  readonly quiet?: boolean;
  readonly verbose?: boolean;
}

/** The console of this process. Names the run's folder at the end, and never prints a secret. */
export function openTerminalConsole(
  { quiet, verbose }: ConsoleFlags,
  runFolder: string,
  screenOfRecipe: RecipeScreen,
  secrets: readonly string[] = [],
): Projection {
  const { stderr } = io();
  const screen = openStderrWriter();
  const console = openConsole({
    ...terminalLook(stderr),
    write: screen.write,
    quiet: quiet === true,
    verbose: verbose === true,
    secrets,
    runFolder,
    nowMs: Date.now,
    screen: screenOfRecipe,
    ...(canRewriteLines(stderr) && { status: { columns: () => stderr.columns || 80, isReady: () => !screen.isBusy } }),
  });
  return {
    ...console,
    async close() {
      await console.close?.();
      await screen.close();
    },
  };
}
