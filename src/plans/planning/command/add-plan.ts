import type { Command } from 'commander';
import type { Finish } from '../../../cli/shared/flags.ts';
import { OperatorError } from '../../../kit/pure/operator-error.ts';
import { truncateCodePoints } from '../../../kit/pure/text.ts';

const json = ['--json', 'print one JSON object'] as const;
const project = ['-d, --project-dir <path>', 'the project directory (default: this one)'] as const;
const planPath = ['--plan <path>', 'the tasks.json to use (ralph/tasks.json)'] as const;
const commands = () => import('./plan.ts');
const session = () => import('./plan-new.ts');
const github = () => import('../../github/command/plan-github.ts');

/** `ralph plan` and its subcommands. */
export function addPlan(program: Command, finish: Finish): void {
  const plan = program
    .command('plan')
    .description('Create, check, show and archive the user stories for ralph work: ralph/prd.md and ralph/tasks.json.')
    .helpCommand(false)
    .allowExcessArguments()
    .action((_options, { args: [word] }: Command) => {
      throw noSuchPlanCommand(word);
    });
  addChanges(plan, finish);
  addViews(plan, finish);
}

function addChanges(plan: Command, finish: Finish): void {
  plan
    .command('init')
    .description('Create ralph/ with templates to fill in: a PRD, a list of stories, a progress log and the prompt of every iteration.')
    .option(...project)
    .option('--name <name>', 'the name of the plan and of its branch, ralph/<name> (the name of the directory)')
    .option('--force', 'replace an existing plan')
    .option(...json)
    .action(async (options) => finish(await (await commands()).initPlanCommand(options)));
  plan
    .command('new')
    .description('Plan together with your agent in this terminal: it asks questions, then writes the PRD and the stories once you agree.')
    .option('--agent <command>', 'the agent (the one in the settings, else the first one found on PATH)')
    .option('-m, --model <name>', 'the model the agent uses')
    .option(...project)
    .action(async (options) => finish(await (await session()).newPlanCommand(options)));
  plan
    .command('github')
    .description('Write the open issues of a label or a milestone into a plan for ralph work, and close the issues that are done in it. Needs gh.')
    .option('--label <name>', 'the issues with this label')
    .option('--milestone <name>', 'the issues of this milestone')
    .option('--plan <path>', 'the file (github-issues.jsonl)')
    .option('--dry-run', 'close nothing, write nothing')
    .option(...json)
    .addHelpText('after', '\nExample:\n  ralph plan github --label ralph')
    .action(async (options) => finish(await (await github()).planGithubCommand(options)));
  plan
    .command('archive')
    .description('Move the plan to ralph-archive/ with a summary, replace it with fresh templates, and commit both. Git hooks do not run.')
    .option(...project)
    .option('--label <label>', 'the name of the archive, after its date (the project of the plan, else its branch)')
    .option('--include-logs', 'include a table of all iterations and the run.json of every run')
    .option(...json)
    .action(async (options) => finish(await (await commands()).archivePlanCommand(options)));
}

function addViews(plan: Command, finish: Finish): void {
  plan
    .command('check')
    .description('Validate the stories; exit 1 if there are problems.')
    .option(...planPath)
    .option('--review-cap <n>', 'as for ralph work (5)')
    .option('--skip-review', 'as for ralph work: stories pass without a review')
    .option(...json)
    .action(async (options) => finish(await (await commands()).checkPlanCommand(options)));
  plan
    .command('status')
    .description('Show the status of every story.')
    .option(...planPath)
    .option('--stats', 'also show the effort: reviews per story; iterations, time and cost per mode; stories approved at the review cap')
    .option(...json)
    .action(async (options) => finish(await (await commands()).planStatusCommand(options)));
}

/** For `ralph plan` without a subcommand, or with an unknown one. */
function noSuchPlanCommand(word: string | undefined): OperatorError {
  const what =
    word === undefined
      ? 'ralph plan needs a subcommand: init, new, check, status, github or archive'
      : `unknown command 'plan ${truncateCodePoints(word, 60, '…')}'`;
  return new OperatorError('usage', what, { hint: 'ralph plan --help lists the subcommands.', exitCode: 2 });
}
