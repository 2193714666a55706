import { type Command, Option } from 'commander';
import { collect, type Finish } from '../../cli/shared/flags.ts';
import { OperatorError } from '../../kit/pure/operator-error.ts';
import { truncateCodePoints } from '../../kit/pure/text.ts';

const choosing = () => import('./task-deeds.ts');
const looking = () => import('./task-looks.ts');
const doing = () => import('./task-deeds.ts');

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
  addDeeds(task, finish);
  addLooks(task, finish);
  addFigures(task, finish);
}

function addChoices(task: Command, finish: Finish): void {
  filtered(located(task.command('next')))
    .description('Show the next task; exit code 1 if there is none.')
    .option('--claim', 'claim it too, for RALPH_WORKER or else for this host and worktree')
    .action(async (options) => finish(await (await choosing()).nextTaskCommand(options)));
  filtered(located(task.command('prompt')))
    .description('Print the prompt for the next task, or for the given one; exit code 1 if there is none.')
    .argument('[task]', 'the id of the task (default: the next task)')
    .option('--claim', 'claim it too')
    .addOption(new Option('--accept', 'the same').hideHelp().conflicts(['claim']))
    .addOption(new Option('--current', 'the prompt of the task that is already claimed here').conflicts(['claim', 'accept']))
    .option('--template <file>', 'a template of your own')
    .option('--print-template', 'print the built-in template, as a start for your own')
    .action(async (id, options) => finish(await (await import('./task-prompt.ts')).promptCommand(id ?? null, options)));
}

function addDeeds(task: Command, finish: Finish): void {
  located(task.command('claim'))
    .description('Claim one task, for RALPH_WORKER or else for this host and worktree.')
    .argument('<task>', 'its id')
    .action(async (id, options) => finish(await (await choosing()).claimCommand(id, options)));
  located(task.command('complete'))
    .description('Complete a task. The loop that gave it out checks the proof; without a loop it is checked here and now.')
    .argument('<task>', 'its id')
    .option('--force', 'skip all checks; this is recorded')
    .option('--verify-timeout <duration>', 'stop a verify command after this long (10m, 0 = never)')
    .action(async (id, options) => {
      const isNoted = await (await import('./note-first.ts')).noteFirst(id, options);
      finish(isNoted ? 0 : await (await doing()).completeCommand(id, options));
    });
  located(task.command('reset'))
    .description('Make a task ready again that is held, has failed, or cannot be merged.')
    .argument('<task>', 'its id')
    .option('--force', 'also if it is complete, or a running run works on it')
    .action(async (id, options) => finish(await (await doing()).resetCommand(id, options)));
}

function addLooks(task: Command, finish: Finish): void {
  filtered(located(task.command('list')))
    .description('List all tasks with their state and holder.')
    .option('--state <state>', 'only tasks in this state: ready, waiting, held, blocked, failed, conflict or complete; may be repeated', collect)
    .action(async (options) => finish(await (await looking()).listTasksCommand(options)));
  located(task.command('show'))
    .description('Show everything about one task.')
    .argument('<task>', 'its id')
    .action(async (id, options) => finish(await (await looking()).showTaskCommand(id, options)));
  located(task.command('check'))
    .description('Validate the plan; exit code 2 if there are problems.')
    .action(async (options) => finish(await (await looking()).checkPlanCommand(options)));
  located(task.command('audit'))
    .description('Show the latest changes of tasks.')
    .option('-n, --lines <n>', 'how many of the last entries (20)')
    .action(async (options) => finish(await (await looking()).auditCommand(options)));
}

function addFigures(task: Command, finish: Finish): void {
  located(task.command('graph'))
    .description('Draw the plan with the state of every task.')
    .addOption(new Option('--format <format>', 'text, mermaid or svg (text)').choices(['text', 'mermaid', 'svg']))
    .option('-o, --output <file>', 'write to this file')
    .action(async (options) => finish(await (await import('./task-graph.ts')).graphCommand(options)));
}

function located(command: Command): Command {
  return command.option('--plan <path>', 'the file or folder of the plan (default: found automatically)').option('--json', 'print one JSON object');
}

function filtered(command: Command): Command {
  return command
    .option('--story <id>', 'only tasks of this story')
    .option('--milestone <id>', 'only tasks of this milestone')
    .option('--tag <tag>', 'only tasks with this tag; repeat it to require several', collect);
}

/** For `ralph task` without a subcommand, or with an unknown one. */
function noSuchTaskCommand(word: string | undefined): OperatorError {
  const what =
    word === undefined
      ? 'ralph task needs a subcommand: next, prompt, claim, complete, reset, list, show, graph, check or audit'
      : `unknown command 'task ${truncateCodePoints(word, 60, '…')}'`;
  return new OperatorError('usage', what, { hint: 'See ralph task --help.', exitCode: 2 });
}
