import { CommanderError } from 'commander';
import { leave } from './leave.ts';
import { buildProgram } from './program.ts';
import { sandboxAlone } from './sandbox/sandbox-alone.ts';
import { printTrouble } from './trouble.ts';
import { refuseUnknownCommand, usageError } from './usage-error.ts';

/** Parses, runs one command, and turns whatever happened into an exit code. */
export async function runCli(argv: readonly string[]): Promise<number> {
  surviveALostTerminal();
  endOnBugs();
  let exitCode = 0;
  const program = buildProgram((code) => {
    exitCode = code;
  });
  try {
    refuseUnknownCommand(program, argv);
    await program.parseAsync([...sandboxAlone(program, argv)], { from: 'user' });
    return exitCode;
  } catch (error) {
    if (!(error instanceof CommanderError)) return printTrouble(error);
    return error.exitCode === 0 ? 0 : printTrouble(usageError(error));
  }
}

/** What nobody caught leaves us in a state nobody foresaw. The run is safe: its guardian ends what still runs, and its journal is as after any crash. */
function endOnBugs(): void {
  process.on('uncaughtException', (error) => {
    leave(printTrouble(error));
    process.exit();
  });
}

/** A terminal or a reader that has gone away must not end a run in the middle of the night. */
function surviveALostTerminal(): void {
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);
}
