import { closeSync, fstatSync, statSync } from 'node:fs';
import { type Command, CommanderError } from 'commander';
import { didYouMean } from '../kit/pure/did-you-mean.ts';
import { OperatorError } from '../kit/pure/operator-error.ts';
import { truncateCodePoints } from '../kit/pure/text.ts';
import { type Io, withIo } from '../process/io.ts';
import { buildProgram, loadCommands } from './program.ts';
import { sandboxAlone } from './shared/sandbox-flags.ts';
import { printTrouble } from './shared/trouble.ts';

/** The whole life of the process that is `ralph`. */
export async function liveAsRalph(argv: readonly string[]): Promise<void> {
  surviveALostTerminal();
  endOnBugs();
  leave(await runCli(argv));
}

/** Parses, runs one command, and turns whatever happened into an exit code. With an io of its own it touches none of this process's. */
export async function runCli(argv: readonly string[], io?: Io): Promise<number> {
  return io === undefined ? await runOne(argv) : await withIo(io, () => runOne(argv));
}

async function runOne(argv: readonly string[]): Promise<number> {
  let exitCode = 0;
  const program = buildProgram(await loadCommands(argv), (code) => {
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

/** What the parser refuses, in the form of all other mistakes. Its own guess at what was meant is the best hint. */
export function usageError({ code, message }: CommanderError): OperatorError {
  const hint = code === 'commander.excessArguments' ? 'Put words that belong together in quotes.' : 'ralph --help shows what there is.';
  const [, what = message, guess = hint] = /^error: (.*?)(?:\n\((Did you mean .*)\))?$/s.exec(message) ?? [];
  return new OperatorError('usage', what, { hint: guess, exitCode: 2 });
}

/** `run` is the default, so its parser would take a misspelt command for an argument too many. */
export function refuseUnknownCommand(program: Command, [first, second]: readonly string[]): void {
  const names = [...program.commands.map((command) => command.name()), 'help'];
  const word = first === 'help' ? second : first;
  if (word === undefined || word.startsWith('-') || names.includes(word)) return;
  const near = didYouMean(word, names);
  throw new OperatorError('usage', `unknown command '${truncateCodePoints(word, 60, '…')}'`, {
    hint: near === null ? 'A prompt is given with -p; ralph --help shows what there is.' : `Did you mean ${near}?`,
    exitCode: 2,
  });
}

const LAST_WORDS_MS = 2_000;

/** The end of the process, also when nobody reads what it still has to say: the console has waited for them already. */
export function leave(exitCode: number): void {
  process.exitCode = exitCode;
  process.on('exit', letGoOfLostTerminals);
  // Fires only if something unread keeps us here.
  if (process.stderr.writableLength > 0) setTimeout(() => process.exit(), LAST_WORDS_MS).unref();
}

/** What nobody caught leaves us in a state nobody foresaw. The run is safe: its guardian ends what still runs, and its journal is as after any crash. */
export function endOnBugs(): void {
  process.on('uncaughtException', (error) => {
    leave(printTrouble(error));
    process.exit();
  });
}

/** A terminal or a reader that has gone away must not end a run in the middle of the night. */
export function surviveALostTerminal(): void {
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);
}

/** Node resets the terminal it was started on, and aborts when that is no longer there; what is closed it leaves alone. */
function letGoOfLostTerminals(): void {
  for (const fd of [0, 1, 2]) {
    try {
      const device = fstatSync(fd);
      // Loaded with every terminal anyway, and for nobody else.
      if (device.isCharacterDevice() && device.rdev !== nowhere() && !process.getBuiltinModule('node:tty').isatty(fd)) closeSync(fd);
    } catch {}
  }
}

/** What is thrown away was never a terminal. */
const nowhere = () => statSync('/dev/null', { throwIfNoEntry: false })?.rdev;
