import { type Argument, type Command, CommanderError, type Option } from 'commander';
import { andSoOn, placeholder } from './ralph-commands.ts';

const fineWhenMoreFollows = new Set(['commander.missingArgument', 'commander.optionMissingArgument', 'commander.missingMandatoryOptionValue']);

/**
 * Says why a command line does not parse, or null. Nothing is run: actions are taken out first, so give it a program of its own.
 * The name of a group of commands alone is fine (it prints its help), and so are --help and --version.
 */
export function whyNotParsed(program: Command, words: readonly string[]): string | null {
  defuse(program);
  const goesOn = words.includes(andSoOn);
  try {
    program.parse(
      words.filter((word) => word !== andSoOn),
      { from: 'user' },
    );
    return unknownCommandIn(program, words);
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.exitCode === 0 || error.code === 'commander.help') return null;
    if (error.code === 'commander.excessArguments') return unknownCommandIn(program, words) ?? error.message;
    return goesOn && fineWhenMoreFollows.has(error.code) ? null : error.message;
  }
}

/** The parser would take the word for a prompt, or give it to an action that refuses it. */
function unknownCommandIn(program: Command, words: readonly string[]): string | null {
  // `ralph work${flags}` stands for several words.
  const [first = '-', second = '-'] = words.map((word) => word.split(placeholder)[0]);
  const isWord = (word: string) => /^[a-z]/.test(word);
  if (!isWord(first) || first === 'help') return null;
  const command = program.commands.find((each) => each.name() === first);
  if (command === undefined) return `unknown command '${first}'`;
  const isSubcommand = command.commands.some((each) => each.name() === second);
  return command.commands.length > 0 && isWord(second) && !isSubcommand ? `unknown command '${first} ${second}'` : null;
}

/** Takes out what would act, print or exit, and lets a placeholder stand for any value. */
function defuse(command: Command): void {
  command.exitOverride().configureOutput({ writeOut: () => {}, writeErr: () => {} });
  // Only where there is one: an action would let a group of commands swallow a word it does not know.
  if (Reflect.get(command, '_actionHandler')) command.action(() => {});
  for (const taker of [...command.options, ...command.registeredArguments]) letPlaceholdersIn(taker);
  for (const subcommand of command.commands) defuse(subcommand);
}

function letPlaceholdersIn(taker: Option | Argument): void {
  const parse = taker.parseArg;
  if (parse) taker.argParser((value: string, previous: unknown) => (value === placeholder ? value : parse(value, previous)));
}
