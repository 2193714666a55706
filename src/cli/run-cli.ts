import { closeSync, fstatSync, statSync } from 'node:fs';
import { type Command, CommanderError } from 'commander';
import { OperatorError } from '../kit/pure/operator-error.ts';
import { type Io, io, withIo } from '../process/io.ts';
import { COMPLETE } from './completion/scripts.ts';
import { buildProgram, loadCommands } from './program.ts';
import { printError } from './shared/print-error.ts';

/** The main function of the `ralph` process. */
export async function runAsProcess(argv: readonly string[]): Promise<void> {
  ignoreOutputErrors();
  exitOnUncaughtErrors();
  exitProcess(await runCli(argv));
}

/** Parses the arguments, runs one command and returns an exit code. With `given` it uses that instead of the process's own streams. */
export async function runCli(argv: readonly string[], given?: Io): Promise<number> {
  return given === undefined ? await runOne(argv) : await withIo(given, () => runOne(argv));
}

async function runOne(argv: readonly string[]): Promise<number> {
  if (argv.length === 0) return isInTerminal() ? await startScreenOrError() : printError(nothingAsked());
  if (argv[0] === COMPLETE) return await (await import('./completion/complete.ts')).completeCommand(argv.slice(1));
  let exitCode = 0;
  const program = buildProgram(await loadCommands(argv), (code) => {
    exitCode = code;
  });
  if (argv[0] === 'help' || argv.some((word) => word === '--help' || word === '-h')) (await import('./short-help.ts')).shortenHelp(program, argv);
  try {
    if (!isKnown(program, argv)) throw (await import('./usage-errors.ts')).unknownCommand(program, argv);
    const words = await wordsOf(program, argv);
    await program.parseAsync([...words], { from: 'user' });
    return exitCode;
  } catch (error) {
    if (!(error instanceof CommanderError)) return printError(error);
    return error.exitCode === 0 ? 0 : printError(await (await import('./usage-errors.ts')).usageErrorIn(program, error, argv));
  }
}

/** `run` is the default command, so its parser would treat a misspelt command as an extra argument. */
function isKnown(program: Command, [first, second]: readonly string[]): boolean {
  const word = first === 'help' ? second : first;
  return word === undefined || word.startsWith('-') || word === 'help' || program.commands.some((command) => command.name() === word);
}

/** The parser's own help command has no options. */
async function wordsOf(program: Command, argv: readonly string[]): Promise<readonly string[]> {
  if (argv[0] === 'help') return argv.filter((word) => word !== '--all');
  return argv.includes('--sandbox') ? (await import('./shared/expand-bare-sandbox-flag.ts')).expandBareSandboxFlag(program, argv) : argv;
}

/** A script that calls `ralph` without arguments gets the error of seed 001. */
const isInTerminal = () => io().stdin.isTTY === true && io().stdout.isTTY === true;

async function startScreenOrError(): Promise<number> {
  try {
    return await (await import('./start-screen/start-screen.ts')).showStartScreen();
  } catch (error) {
    return printError(error);
  }
}

/** The message is that of seed 001. */
function nothingAsked(): OperatorError {
  const commands = ['run "…" --check "npm test"', 'loop "…" --check "npm test"', 'work --plan FILE', 'supervise -p "…"', 'init', '--help'];
  const hint = `What you can do: ${commands.map((command) => `ralph ${command}`).join(', ')}`;
  return new OperatorError('usage', 'must specify prompt (--prompt or --prompt-file)', { hint, exitCode: 2 });
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
