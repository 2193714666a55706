import type { Command, CommanderError } from 'commander';
import { didYouMean } from '../kit/pure/did-you-mean.ts';
import { truncateCodePoints } from '../kit/pure/truncate-code-points.ts';
import { OperatorError } from '../kit/pure/operator-error.ts';

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
