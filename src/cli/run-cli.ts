import { CommanderError } from 'commander';
import { inSurroundings, type Surroundings } from '../process/surroundings.ts';
import { endOnBugs, leave, surviveALostTerminal } from './leave.ts';
import { buildProgram } from './program.ts';
import { sandboxAlone } from './shared/sandbox-alone.ts';
import { printTrouble } from './shared/trouble.ts';
import { refuseUnknownCommand, usageError } from './usage-error.ts';

/** The whole life of the process that is `ralph`. */
export async function liveAsRalph(argv: readonly string[]): Promise<void> {
  surviveALostTerminal();
  endOnBugs();
  leave(await runCli(argv));
}

/** Parses, runs one command, and turns whatever happened into an exit code. With surroundings of its own it touches none of this process's. */
export async function runCli(argv: readonly string[], io?: Surroundings): Promise<number> {
  return io === undefined ? await runOne(argv) : await inSurroundings(io, () => runOne(argv));
}

async function runOne(argv: readonly string[]): Promise<number> {
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
