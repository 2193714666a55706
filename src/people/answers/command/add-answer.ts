import type { Command } from 'commander';
import type { Finish } from '../../../cli/shared/flags.ts';

/** `ralph answer`. */
export function addAnswer(program: Command, finish: Finish): void {
  program
    .command('answer')
    .description('Answer what a run on stories asks, and go on with it. Without a text, show what it asks.')
    .argument('[text...]', 'the answer; - is standard input')
    .option('--run <run>', 'a run id, or its end; the newest of this directory that asks something if none is named')
    .option('--story <id>', 'answer the question about this story; the newest question if none is named')
    .option('--later', 'only keep the answer: the run hears it when it is resumed')
    .option('--json', 'print the result as one JSON object on standard output')
    .option('-q, --quiet', 'print only the result')
    .option('-V, --verbose', 'print more')
    .action(async (words, options) => finish(await (await import('./answer.ts')).answerCommand(words, options)));
}
