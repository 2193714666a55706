import type { Command } from 'commander';
import type { Finish } from '../../../cli/shared/flags.ts';

/** `ralph answer`. */
export function addAnswer(program: Command, finish: Finish): void {
  program
    .command('answer')
    .description('Answer a question of a run on stories and continue the run. Without a text, show its questions.')
    .argument('[text...]', 'the answer; - reads standard input')
    .option('--run <run>', 'a run id or its last characters (default: the newest run of this directory with a question)')
    .option('--story <id>', 'answer the question about this story (default: the newest question)')
    .option('--later', 'only save the answer; the run gets it when you resume it')
    .option('--json', 'print the result as one JSON object on standard output')
    .option('-q, --quiet', 'print only the result')
    .option('-V, --verbose', 'print more')
    .action(async (words, options) => finish(await (await import('./answer.ts')).answerCommand(words, options)));
}
