import { closeSync, fstatSync, statSync } from 'node:fs';
import { type Command, CommanderError } from 'commander';
import { didYouMean } from '../kit/pure/did-you-mean.ts';
import { OperatorError } from '../kit/pure/operator-error.ts';
import { truncateCodePoints } from '../kit/pure/text.ts';
import { type Io, withIo } from '../process/io.ts';
import { buildProgram, loadCommands } from './program.ts';
import { printError } from './shared/print-error.ts';
import { expandBareSandboxFlag } from './shared/sandbox-flags.ts';

/** The main function of the `ralph` process. */
export async function runAsProcess(argv: readonly string[]): Promise<void> {
  ignoreOutputErrors();
  exitOnUncaughtErrors();
  exitProcess(await runCli(argv));
}

/** Parses the arguments, runs one command and returns an exit code. With `io` it uses that instead of the process's own streams. */
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
    await program.parseAsync([...expandBareSandboxFlag(program, argv)], { from: 'user' });
    return exitCode;
  } catch (error) {
    if (!(error instanceof CommanderError)) return printError(error);
    return error.exitCode === 0 ? 0 : printError(usageError(error));
  }
}

/** Turns an error of the parser into an OperatorError. If the parser guesses what was meant, that is the hint. */
export function usageError({ code, message }: CommanderError): OperatorError {
  const hint = code === 'commander.excessArguments' ? 'Put words that belong together in quotes.' : 'ralph --help lists the commands and options.';
  const [, what = message, guess = hint] = /^error: (.*?)(?:\n\((Did you mean .*)\))?$/s.exec(message) ?? [];
  return new OperatorError('usage', what, { hint: guess, exitCode: 2 });
}

/** `run` is the default command, so its parser would treat a misspelt command as an extra argument. */
export function refuseUnknownCommand(program: Command, [first, second]: readonly string[]): void {
  const names = [...program.commands.map((command) => command.name()), 'help'];
  const word = first === 'help' ? second : first;
  if (word === undefined || word.startsWith('-') || names.includes(word)) return;
  const near = didYouMean(word, names);
  throw new OperatorError('usage', `unknown command '${truncateCodePoints(word, 60, '…')}'`, {
    hint: near === null ? 'Give a prompt with -p; ralph --help lists the commands and options.' : `Did you mean ${near}?`,
    exitCode: 2,
  });
}

const FLUSH_MS = 2_000;

/** Ends the process, even if nobody reads its remaining output: the console has already waited for that. */
export function exitProcess(exitCode: number): void {
  process.exitCode = exitCode;
  process.on('exit', letGoOfLostTerminals);
  // Fires only if unread output keeps the process alive.
  if (process.stderr.writableLength > 0) setTimeout(() => process.exit(), FLUSH_MS).unref();
}

/** After an uncaught exception our state is unknown, so we exit. The run is safe: its guardian ends its processes, and its journal is as after any crash. */
export function exitOnUncaughtErrors(): void {
  process.on('uncaughtException', (error) => {
    exitProcess(printError(error));
    process.exit();
  });
}

/** A closed terminal or pipe must not end a run. */
export function ignoreOutputErrors(): void {
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);
}

/** At exit, node resets its terminal, and aborts if that terminal is gone. It skips closed file descriptors. */
function letGoOfLostTerminals(): void {
  for (const fd of [0, 1, 2]) {
    try {
      const device = fstatSync(fd);
      // getBuiltinModule: node has loaded tty already if there is a terminal; otherwise we do not want to load it.
      if (device.isCharacterDevice() && device.rdev !== nowhere() && !process.getBuiltinModule('node:tty').isatty(fd)) closeSync(fd);
    } catch {}
  }
}

/** /dev/null is a character device, but never a terminal. */
const nowhere = () => statSync('/dev/null', { throwIfNoEntry: false })?.rdev;
