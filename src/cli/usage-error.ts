import type { Command, CommanderError } from 'commander';
import { didYouMean } from '../kit/pure/did-you-mean.ts';
import { truncateCodePoints } from '../kit/pure/truncate-code-points.ts';
import { OperatorError } from '../model/operator-error.ts';

const SEE_HELP = 'ralph --help shows what there is.';

/** What the parser refuses, in the form of all other mistakes. Its own guess at what was meant is the best hint. */
export function usageError({ message }: CommanderError): OperatorError {
  const [, what = message, guess = SEE_HELP] = /^error: (.*?)(?:\n\((Did you mean .*)\))?$/s.exec(message) ?? [];
  return new OperatorError('usage', what, { hint: guess, exitCode: 2 });
}

/** `run` is the default, so its parser would take a misspelt command for an argument too many. */
export function refuseUnknownCommand(program: Command, [word]: readonly string[]): void {
  const names = [...program.commands.map((command) => command.name()), 'help'];
  if (word === undefined || word.startsWith('-') || names.includes(word)) return;
  const near = didYouMean(word, names);
  throw new OperatorError('usage', `unknown command '${truncateCodePoints(word, 60, '…')}'`, {
    hint: near === null ? 'A prompt is given with -p; ralph --help shows what there is.' : `Did you mean ${near}?`,
    exitCode: 2,
  });
}
