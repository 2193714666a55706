import { shellQuote } from '../../../kit/pure/shell-words.ts';
import { io } from '../../../process/io.ts';
import type { RunSettings } from '../../../settings/schema/run-settings.ts';
import { dryRunOf } from '../start/dry-run.ts';

interface Wanted {
  readonly settings: RunSettings;
  readonly cwd: string;
  readonly json: boolean;
}

/** Prints the exact command and prompt of the first attempt; runs nothing and writes nothing. */
export async function dryRun({ settings, cwd, json }: Wanted): Promise<number> {
  const { command, prompt } = await dryRunOf(settings, cwd);
  const words = `Command: ${command.map(shellQuote).join(' ')}\nDirectory: ${cwd}\nPrompt (on standard input):\n${prompt}\n`;
  io().stdout.write(json ? `${JSON.stringify({ command, directory: cwd, prompt })}\n` : words);
  return 0;
}
