import type { Command } from 'commander';
import type { Finish } from '../../../cli/shared/flags.ts';

/** `ralph inbox`. */
export function addInbox(program: Command, finish: Finish): void {
  program
    .command('inbox')
    .description('List what waits for you in all runs of this repository, with the command for each. Example: ralph inbox --json')
    .option('--all', 'also list the questions that are answered')
    .option('--json', 'print one JSON object')
    .action(async (options) => finish(await (await import('./inbox.ts')).inboxCommand(options)));
}

/** `ralph ask`. */
export function addAsk(program: Command, finish: Finish): void {
  program
    .command('ask')
    .description('For agents: ask the people who run you. The answer is in a later prompt. Example: ralph ask "Which account shall I use?"')
    .argument('<question...>', 'what only a person can answer; - reads standard input')
    .option('--json', 'print one JSON object')
    .action(async (words, options) => finish(await (await import('./ask.ts')).askCommand(words, options)));
}

/** `ralph answer`. */
export function addAnswer(program: Command, finish: Finish): void {
  program
    .command('answer')
    .description(
      'Answer a question of an agent, or have a failed task tried again with your words, and continue its run. Without a text, show the open questions.',
    )
    .argument('[text...]', 'the answer; - reads standard input')
    .option('--run <run>', 'a run id or its last characters (default: the newest run of this directory with a question)')
    .option('--task <id>', 'answer the question about this task or story, or try this task again (default: the newest question)')
    .option('--story <id>', 'the same as --task')
    .option('--later', 'only save the answer; the run gets it when you resume it')
    .option('--json', 'print the result as one JSON object on standard output')
    .option('-q, --quiet', 'print only the result')
    .option('-V, --verbose', 'print more')
    .action(async (words, options) => finish(await (await import('../../answers/command/answer.ts')).answerCommand(words, options)));
}
