import { shellQuote } from '../../kit/pure/shell-quote.ts';
import { dryRunOf } from '../../wiring/dry-run.ts';
import type { WantedRun } from '../../wiring/wanted-settings.ts';

/** Prints the exact command and prompt of the first attempt; runs nothing and writes nothing. */
export async function dryRun(wanted: WantedRun, json: boolean): Promise<number> {
  const { command, prompt, cwd } = await dryRunOf(wanted);
  const words = `Command: ${command.map(shellQuote).join(' ')}\nDirectory: ${cwd}\nPrompt (on standard input):\n${prompt}\n`;
  process.stdout.write(json ? `${JSON.stringify({ command, directory: cwd, prompt })}\n` : words);
  return 0;
}
