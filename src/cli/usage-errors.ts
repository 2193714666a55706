import type { Command, CommanderError } from 'commander';
import { didYouMean } from '../kit/pure/did-you-mean.ts';
import { OperatorError } from '../kit/pure/operator-error.ts';
import { truncateCodePoints } from '../kit/pure/text.ts';
import { hintForCommand, hintForFlag } from './near-misses.ts';
import { buildProgram, loadCommands } from './program.ts';
import { SHORT_HELP } from './short-help.ts';

const DEFAULT_HINT = 'ralph --help lists the commands and options.';

/**
 * Turns an error of the parser into an OperatorError. The hint is, in this order: our name for the flag of another loop, the flag that was meant, the commands
 * that have the flag, the help of the command that was called.
 */
function usageError({ code, message }: CommanderError, called: Called, commandsWithIt: readonly string[] = []): OperatorError {
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

/** The commands with the flag that this one does not have. Loads them all. */
async function commandsWithFlag({ message }: CommanderError): Promise<readonly string[]> {
  const flag = unknownFlagIn(message);
  if (flag === null) return [];
  const { commands } = buildProgram(await loadCommands());
  return commands.filter(({ options }) => options.some(({ long, hidden }) => long === flag && !hidden)).map((command) => command.name());
}

/** What was asked for, refused by the parser. */
export async function usageErrorIn(program: Command, error: CommanderError, argv: readonly string[]): Promise<OperatorError> {
  return usageError(error, calledIn(program, argv), await commandsWithFlag(error));
}

export function unknownCommand(program: Command, [first = '', second = '']: readonly string[]): OperatorError {
  const word = first === 'help' ? second : first;
  const near = didYouMean(word, [...program.commands.map((command) => command.name()), 'help']);
  const guess = near === null ? `For a prompt: ralph run "…"; ${DEFAULT_HINT}` : `Did you mean ${near}?`;
  return new OperatorError('usage', `unknown command '${truncateCodePoints(word, 60, '…')}'`, { hint: hintForCommand(word) ?? guess, exitCode: 2 });
}
