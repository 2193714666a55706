import { type Command, Option } from 'commander';
import { collect, type Finish } from '../../cli/shared/flags.ts';
import { OperatorError } from '../../kit/pure/operator-error.ts';
import { truncateCodePoints } from '../../kit/pure/text.ts';

const changes = () => import('./task-changes.ts');
const views = () => import('./task-views.ts');

/** `ralph task` and its subcommands. */
export function addTask(program: Command, finish: Finish): void {
  const task = program
    .command('task')
    .description('Show, claim, complete and reset the tasks of a plan.')
    .helpCommand(false)
    .allowExcessArguments()
    .action((_options, { args: [word] }: Command) => {
      throw noSuchTaskCommand(word);
    });
  addChoices(task, finish);
  addChanges(task, finish);
  addViews(task, finish);
  addGraph(task, finish);
}

function addChoices(task: Command, finish: Finish): void {
  filtered(located(task.command('next')))
    .description('Show the next task; exit 1 if there is none.')
    .option('--claim', 'also claim it, as RALPH_WORKER or else as this host and worktree')
    .action(async (options) => finish(await (await changes()).nextTaskCommand(options)));
  filtered(located(task.command('prompt')))
    .description('Print the prompt an agent would get for a task; exit 1 if there is none.')
    .argument('[task]', 'the id of the task (default: the next task)')
    .option('--claim', 'also claim it')
    .addOption(new Option('--accept', 'the same').hideHelp().conflicts(['claim']))
    .addOption(new Option('--current', 'the prompt of the task already claimed here').conflicts(['claim', 'accept']))
    .option('--template <file>', 'use your own template')
    .option('--print-template', 'print the built-in template, as a start for your own')
    .action(async (id, options) => finish(await (await import('./task-prompt.ts')).promptCommand(id ?? null, options)));
}

function addChanges(task: Command, finish: Finish): void {
  located(task.command('claim'))
    .description('Claim one task, as RALPH_WORKER or else as this host and worktree.')
    .argument('<task>', 'the id of the task')
    .action(async (id, options) => finish(await (await changes()).claimCommand(id, options)));
  located(task.command('complete'))
    .description('Report a task as complete. The loop that assigned it verifies it; if no loop did, this command does.')
    .argument('<task>', 'the id of the task')
    .option('--force', 'complete it even if verification fails; this is recorded')
    .option('--verify-timeout <duration>', 'stop a verify command that runs longer (10m, 0 = never)')
    .action(async (id, options) => {
      const isNoted = await (await import('./complete-through-loop.ts')).completeThroughLoop(id, options);
      finish(isNoted ? 0 : await (await changes()).completeCommand(id, options));
    });
  located(task.command('reset'))
    .description('Make a task ready again that is claimed, has failed, or cannot be merged.')
    .argument('<task>', 'the id of the task')
    .option('--force', 'also if the task is complete or a live run works on it')
    .action(async (id, options) => finish(await (await changes()).resetCommand(id, options)));
}

function addViews(task: Command, finish: Finish): void {
  filtered(located(task.command('list')))
    .description('List every task with its state and who holds it.')
    .option('--state <state>', 'only tasks in this state: ready, waiting, held, blocked, failed, conflict or complete; repeatable', collect)
    .action(async (options) => finish(await (await views()).listTasksCommand(options)));
  located(task.command('show'))
    .description('Show everything about one task.')
    .argument('<task>', 'the id of the task')
    .action(async (id, options) => finish(await (await views()).showTaskCommand(id, options)));
  located(task.command('check'))
    .description('Validate the plan; exit 2 if there are problems.')
    .action(async (options) => finish(await (await views()).checkPlanCommand(options)));
  located(task.command('audit'))
    .description('Show the latest changes to tasks.')
    .option('-n, --lines <n>', 'number of entries (20)')
    .action(async (options) => finish(await (await views()).auditCommand(options)));
}

function addGraph(task: Command, finish: Finish): void {
  located(task.command('graph'))
    .description('Draw the plan as a graph with the state of every task.')
    .addOption(new Option('--format <format>', 'text, mermaid or svg (text)').choices(['text', 'mermaid', 'svg']))
    .option('-o, --output <file>', 'write to this file (standard output)')
    .action(async (options) => finish(await (await import('./task-graph.ts')).graphCommand(options)));
}

function located(command: Command): Command {
  return command.option('--plan <path>', 'the file or folder of the plan (detected)').option('--json', 'print one JSON object');
}

function filtered(command: Command): Command {
  return command
    .option('--story <id>', 'only tasks of this story')
    .option('--milestone <id>', 'only tasks of this milestone')
    .option('--tag <tag>', 'only tasks with this tag; repeatable, tasks must have all of them', collect);
}

/** For `ralph task` without a subcommand, or with an unknown one. */
function noSuchTaskCommand(word: string | undefined): OperatorError {
  const what =
    word === undefined
      ? 'ralph task needs a subcommand: next, prompt, claim, complete, reset, list, show, graph, check or audit'
      : `unknown command 'task ${truncateCodePoints(word, 60, '…')}'`;
  return new OperatorError('usage', what, { hint: 'ralph task --help lists the subcommands.', exitCode: 2 });
}
