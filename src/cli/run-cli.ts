import { CommanderError } from 'commander';
import { buildProgram } from './program.ts';
import { printTrouble } from './trouble.ts';
import { refuseUnknownCommand, usageError } from './usage-error.ts';

/** Parses, runs one command, and turns whatever happened into an exit code. */
export async function runCli(argv: readonly string[]): Promise<number> {
  surviveALostTerminal();
  let exitCode = 0;
  const program = buildProgram((code) => {
    exitCode = code;
  });
  try {
    refuseUnknownCommand(program, argv);
    await program.parseAsync([...argv], { from: 'user' });
    return exitCode;
  } catch (error) {
    if (!(error instanceof CommanderError)) return printTrouble(error);
    return error.exitCode === 0 ? 0 : printTrouble(usageError(error));
  }
}

/** A terminal or a reader that has gone away must not end a run in the middle of the night. */
function surviveALostTerminal(): void {
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);
}
