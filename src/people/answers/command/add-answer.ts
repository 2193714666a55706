import type { Command } from 'commander';
import type { Finish } from '../../../cli/shared/flags.ts';

export function addAnswer(program: Command, finish: Finish): void {
  program
    .command('answer')
    .description('Answer a question of a run on stories, and resume the run. Without a text, show the open questions.')
    .argument('[text...]', 'the answer; - is standard input')
    .option('--run <run>', 'a run id, or its end (default: the newest run of this directory with an open question)')
    .option('--story <id>', 'answer the question about this story (default: the newest question)')
    .option('--later', 'only store the answer; the run reads it when it is resumed')
    .option('--json', 'print the result as one JSON object on standard output')
    .option('-q, --quiet', 'print only the result')
    .option('-V, --verbose', 'print more')
    .action(async (words, options) => finish(await (await import('./answer.ts')).answerCommand(words, options)));
}
