import type { Command } from 'commander';
import type { Finish } from '../../../cli/shared/flags.ts';
import { OperatorError } from '../../../kit/pure/operator-error.ts';
import { truncateCodePoints } from '../../../kit/pure/text.ts';

const json = ['--json', 'print one JSON object'] as const;
const project = ['-d, --project-dir <path>', 'the project (this directory)'] as const;
const plan = ['--plan <path>', 'the tasks.json to use (ralph/tasks.json)'] as const;
const commands = () => import('./plan.ts');
const session = () => import('./plan-new.ts');

export function addPlan(program: Command, finish: Finish): void {
  const words = program
    .command('plan')
    .description('Make, check, show and archive a list of user stories for ralph work: ralph/prd.md and ralph/tasks.json.')
    .helpCommand(false)
    .allowExcessArguments()
    .action((_options, { args: [word] }: Command) => {
      throw noSuchPlanCommand(word);
    });
  addDeeds(words, finish);
  addLooks(words, finish);
}

function addDeeds(words: Command, finish: Finish): void {
  words
    .command('init')
    .description('Make ralph/ with a PRD, a list of stories, a progress log and the prompt of every iteration, to be filled in.')
    .option(...project)
    .option('--name <name>', 'the name of the plan, and of its branch ralph/<name> (the name of the directory)')
    .option('--force', 'replace an existing plan')
    .option(...json)
    .action(async (options) => finish(await (await commands()).initPlanCommand(options)));
  words
    .command('new')
    .description('Start your agent in this terminal to plan with you: it asks questions, then writes the PRD and the stories once you agree.')
    .option('--agent <command>', 'the agent (that of the settings, else the first on PATH)')
    .option('-m, --model <name>', 'the model the agent is told to use')
    .option(...project)
    .action(async (options) => finish(await (await session()).newPlanCommand(options)));
  words
    .command('archive')
    .description('Move the plan to ralph-archive/ with a summary, put fresh templates in its place, and commit that without git hooks.')
    .option(...project)
    .option('--label <label>', 'the name of the archive after its date (the project of the plan, else its branch)')
    .option('--include-logs', 'add a table of all iterations and the run.json of every run')
    .option(...json)
    .action(async (options) => finish(await (await commands()).archivePlanCommand(options)));
}

function addLooks(words: Command, finish: Finish): void {
  words
    .command('check')
    .description('Validate the stories; exit code 1 if there are problems.')
    .option(...plan)
    .option('--review-cap <n>', 'as for ralph work (5)')
    .option('--skip-review', 'as for ralph work: stories pass without a review')
    .option(...json)
    .action(async (options) => finish(await (await commands()).checkPlanCommand(options)));
  words
    .command('status')
    .description('Show the state of every story.')
    .option(...plan)
    .option('--stats', 'also show statistics: reviews of every story, iterations, time and cost of every mode, stories approved at the cap')
    .option(...json)
    .action(async (options) => finish(await (await commands()).planStatusCommand(options)));
}

/** For `ralph plan` without a subcommand, or with an unknown one. */
function noSuchPlanCommand(word: string | undefined): OperatorError {
  const what =
    word === undefined ? 'ralph plan needs a subcommand: init, new, check, status or archive' : `unknown command 'plan ${truncateCodePoints(word, 60, '…')}'`;
  return new OperatorError('usage', what, { hint: 'See ralph plan --help.', exitCode: 2 });
}
