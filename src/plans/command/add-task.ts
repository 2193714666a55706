import { type Command, Option } from 'commander';
import { collect, type Finish } from '../../cli/shared/flags.ts';
import { OperatorError } from '../../kit/pure/operator-error.ts';
import { truncateCodePoints } from '../../kit/pure/text.ts';

const choosing = () => import('./task-deeds.ts');
const looking = () => import('./task-looks.ts');
const doing = () => import('./task-deeds.ts');

/** `ralph task` and its words. */
export function addTask(program: Command, finish: Finish): void {
  const task = program
    .command('task')
    .description('Ask for the next task of a plan, claim, complete and reset tasks, and look at them.')
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
    .description('Show the task that comes next; exit code 1 if there is none.')
    .option('--claim', 'and claim it, for RALPH_WORKER or else for this host and worktree')
    .action(async (options) => finish(await (await choosing()).nextTaskCommand(options)));
  filtered(located(task.command('prompt')))
    .description('Print what an agent would be told of the next task, or of one; exit code 1 if there is none.')
    .argument('[task]', 'the id of the task; without it the one that comes next')
    .option('--claim', 'and claim it')
    .addOption(new Option('--accept', 'the same').hideHelp().conflicts(['claim']))
    .addOption(new Option('--current', 'that of the task which is claimed here already').conflicts(['claim', 'accept']))
    .option('--template <file>', 'a template of your own')
    .option('--print-template', 'print the built-in template, to begin one of your own with')
    .action(async (id, options) => finish(await (await import('./task-prompt.ts')).promptCommand(id ?? null, options)));
}

function addDeeds(task: Command, finish: Finish): void {
  located(task.command('claim'))
    .description('Claim one task, for RALPH_WORKER or else for this host and worktree.')
    .argument('<task>', 'its id')
    .action(async (id, options) => finish(await (await choosing()).claimCommand(id, options)));
  located(task.command('complete'))
    .description('Say that a task is complete. What proves it is looked at: by the loop that gave it out, or else here and now.')
    .argument('<task>', 'its id')
    .option('--force', 'whatever speaks against it; that is written down')
    .option('--verify-timeout <duration>', 'end a verify command that runs longer (10m, 0 = never)')
    .action(async (id, options) => {
      const isNoted = await (await import('./note-first.ts')).noteFirst(id, options);
      finish(isNoted ? 0 : await (await doing()).completeCommand(id, options));
    });
  located(task.command('reset'))
    .description('Make a task ready again that somebody has, that has failed, or whose work cannot be merged.')
    .argument('<task>', 'its id')
    .option('--force', 'also one that is complete, or that a living run works on')
    .action(async (id, options) => finish(await (await doing()).resetCommand(id, options)));
}

function addLooks(task: Command, finish: Finish): void {
  filtered(located(task.command('list')))
    .description('Show every task, how it stands and who has it.')
    .option('--state <state>', 'only those that stand so: ready, waiting, held, blocked, failed, conflict or complete; repeat it for more', collect)
    .action(async (options) => finish(await (await looking()).listTasksCommand(options)));
  located(task.command('show'))
    .description('Show all that is known of one task.')
    .argument('<task>', 'its id')
    .action(async (id, options) => finish(await (await looking()).showTaskCommand(id, options)));
  located(task.command('check'))
    .description('Look for everything that is wrong with the plan; exit code 2 if something is.')
    .action(async (options) => finish(await (await looking()).checkPlanCommand(options)));
  located(task.command('audit'))
    .description('Show what was last done with tasks.')
    .option('-n, --lines <n>', 'how many of the last entries (20)')
    .action(async (options) => finish(await (await looking()).auditCommand(options)));
}

function addFigures(task: Command, finish: Finish): void {
  located(task.command('graph'))
    .description('Draw the plan with the state of every task.')
    .addOption(new Option('--format <format>', 'text, mermaid or svg (text)').choices(['text', 'mermaid', 'svg']))
    .option('-o, --output <file>', 'write it there')
    .action(async (options) => finish(await (await import('./task-graph.ts')).graphCommand(options)));
}

function located(command: Command): Command {
  return command.option('--plan <path>', 'the file or folder of the plan (found by itself)').option('--json', 'print one JSON object');
}

function filtered(command: Command): Command {
  return command
    .option('--story <id>', 'only tasks of this story')
    .option('--milestone <id>', 'only tasks of this milestone')
    .option('--tag <tag>', 'only tasks with this tag; repeat it for those with all of several', collect);
}

/** For `ralph task` with no word after it, or with one that is none of its commands. */
function noSuchTaskCommand(word: string | undefined): OperatorError {
  const what =
    word === undefined
      ? 'ralph task needs a word: next, prompt, claim, complete, reset, list, show, graph, check or audit'
      : `unknown command 'task ${truncateCodePoints(word, 60, '…')}'`;
  return new OperatorError('usage', what, { hint: 'ralph task --help shows what there is.', exitCode: 2 });
}
