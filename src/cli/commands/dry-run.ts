import { shellQuote } from '../../kit/pure/shell-quote.ts';
import { dryRunOf } from '../../wiring/dry-run.ts';
import type { StartOptions } from '../../wiring/start-run.ts';

/** Prints the exact command and prompt of the first attempt; runs nothing and writes nothing. */
export async function dryRun(options: StartOptions): Promise<number> {
  const { command, prompt, cwd } = await dryRunOf(options);
  process.stdout.write(`Command: ${command.map(shellQuote).join(' ')}\nDirectory: ${cwd}\nPrompt (on standard input):\n${prompt}\n`);
  return 0;
}
