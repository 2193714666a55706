import { closeSync, fstatSync, statSync } from 'node:fs';
import { type Command, CommanderError } from 'commander';
import { didYouMean } from '../kit/pure/did-you-mean.ts';
import { OperatorError } from '../kit/pure/operator-error.ts';
import { truncateCodePoints } from '../kit/pure/text.ts';
import { type Io, io, withIo } from '../process/io.ts';
import { COMPLETE } from './completion/scripts.ts';
import { hintForCommand, hintForFlag } from './near-misses.ts';
import { buildProgram, loadCommands } from './program.ts';
import { printError } from './shared/print-error.ts';
import { helpLengthIn, SHORT_HELP, setHelpLength } from './short-help.ts';

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
  const helpLength = helpLengthIn(argv);
  if (helpLength !== null) setHelpLength(program, helpLength);
  try {
    refuseUnknownCommand(program, argv);
    const words = await wordsOf(program, argv);
    await program.parseAsync([...words], { from: 'user' });
    return exitCode;
  } catch (error) {
    if (!(error instanceof CommanderError)) return printError(error);
    return error.exitCode === 0 ? 0 : printError(usageError(error, calledIn(program, argv), await commandsWithFlag(error)));
  }
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

const DEFAULT_HINT = 'ralph --help lists the commands and options.';

/**
 * Turns an error of the parser into an OperatorError. The hint is, in this order: our name for the flag of another loop, the flag that was meant, the commands
 * that have the flag, the help of the command that was called.
 */
export function usageError({ code, message }: CommanderError, called: Called, commandsWithIt: readonly string[] = []): OperatorError {
  const [, what = message, guess] = /^error: (.*?)(?:\n\((Did you mean .*)\))?$/s.exec(message) ?? [];
  const flag = unknownFlagIn(message);
  const elsewhere = commandsWithIt.length === 0 ? null : `These commands have it: ${commandsWithIt.map((name) => `ralph ${name}`).join(', ')}.`;
  const hint = flag === null ? guess : (hintForFlag(flag) ?? nearFlag(flag, called) ?? elsewhere);
  return new OperatorError('usage', what, { hint: hint ?? usualHint(code, called), exitCode: 2 });
}

/** A command as it was called: `ralph runs list`. */
interface Called {
  readonly name: string;
  readonly command: Command;
  readonly argv: readonly string[];
}

/** The innermost command that the words name. */
function calledIn(program: Command, argv: readonly string[]): Called {
  let command = program;
  const words = ['ralph'];
  for (const word of argv) {
    const next = command.commands.find((each) => each.name() === word);
    if (next === undefined) break;
    command = next;
    words.push(word);
  }
  return { name: words.join(' '), command, argv };
}

/** Without the dashes, which every flag shares. `ralph` alone has the flags of `run`. */
function nearFlag(flag: string, { command }: Called): string | null {
  const asked = command.parent === null ? (command.commands.find((each) => each.name() === 'run') ?? command) : command;
  const names = asked.options.flatMap(({ long }) => (long ? [long.slice(2)] : []));
  const near = didYouMean(flag.slice(2), names);
  return near === null ? null : `Did you mean --${near}?`;
}

const isShortened = (name: string) => Object.hasOwn(SHORT_HELP, name.replace('ralph ', ''));

function usualHint(code: string, { name, command, argv }: Called): string {
  if (command.parent === null) return DEFAULT_HINT;
  // The value of a bare `--sandbox` is taken for a word of the prompt if it is no sandbox.
  const sandbox = argv.includes('--sandbox') ? (argv[argv.indexOf('--sandbox') + 1] ?? '') : '';
  if (code === 'commander.excessArguments' && /^\w[\w-]*$/.test(sandbox)) return `--sandbox is auto, docker, os or guard, not ${sandbox}.`;
  if (code !== 'commander.excessArguments') return `${name} --help${isShortened(name) ? ' --all' : ''} lists its options.`;
  return command.registeredArguments.length > 0 ? 'Put words that belong together in quotes.' : `It takes options only: ${name} --help lists them.`;
}

const unknownFlagIn = (message: string) => /unknown option '(--[^'=]+)/.exec(message)?.[1] ?? null;

/** The commands with the flag that this one does not have. Loads them all, but only after a mistake. */
async function commandsWithFlag({ message }: CommanderError): Promise<readonly string[]> {
  const flag = unknownFlagIn(message);
  if (flag === null) return [];
  const { commands } = buildProgram(await loadCommands());
  return commands.filter(({ options }) => options.some(({ long, hidden }) => long === flag && !hidden)).map((command) => command.name());
}

/** `run` is the default command, so its parser would treat a misspelt command as an extra argument. */
export function refuseUnknownCommand(program: Command, [first, second]: readonly string[]): void {
  const names = [...program.commands.map((command) => command.name()), 'help'];
  const word = first === 'help' ? second : first;
  if (word === undefined || word.startsWith('-') || names.includes(word)) return;
  const near = didYouMean(word, names);
  const guess = near === null ? `For a prompt: ralph run "…"; ${DEFAULT_HINT}` : `Did you mean ${near}?`;
  throw new OperatorError('usage', `unknown command '${truncateCodePoints(word, 60, '…')}'`, { hint: hintForCommand(word) ?? guess, exitCode: 2 });
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
