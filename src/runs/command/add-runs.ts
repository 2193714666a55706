import type { Command } from 'commander';
import type { Finish } from '../../cli/shared/flags.ts';
import { OperatorError } from '../../kit/pure/operator-error.ts';
import { truncateCodePoints } from '../../kit/pure/text.ts';

const json = ['--json', 'print one JSON object'] as const;
const commands = () => import('./runs.ts');

export function addRuns(program: Command, finish: Finish): void {
  const runs = program
    .command('runs')
    .description('List, show, tail, stop, pause, drain, resume and prune the runs of this directory, whoever started them.')
    .helpCommand(false)
    .allowExcessArguments()
    .action((_options, { args: [word] }: Command) => {
      throw noSuchRunsCommand(word);
    });
  addLooks(runs, finish);
  addDeeds(runs, finish);
}

function addLooks(runs: Command, finish: Finish): void {
  located(runs.command('list'))
    .description('List recent and active runs, nested under their parents.')
    .option('-a, --all', 'list every run')
    .option(...json)
    .action(async (options) => finish(await (await import('./runs-list.ts')).listRunsCommand(options)));
  located(runs.command('show'))
    .description('Show everything known about one run: its iterations, children and files.')
    .argument('<run>', 'a run id, or its end')
    .option(...json)
    .action(async (run, options) => finish(await (await commands()).showRunCommand(run, options)));
  located(runs.command('tail'))
    .description('Print the output of the newest agent of a run.')
    .argument('<run>', 'a run id, or its end')
    .option('-f, --follow', 'keep printing, from one agent to the next, until the run ends')
    .option('-n, --lines <n>', 'how many lines from the end (20)')
    .option('--raw', 'print the raw output of the agent')
    .option('--json', 'print one JSON object for each agent event')
    .action(async (run, options) => finish(await (await commands()).tailRunCommand(run, options)));
}

function addDeeds(runs: Command, finish: Finish): void {
  located(runs.command('stop'))
    .description('Ask a run to stop, and wait until it has. If the run is dead, end the processes it left behind.')
    .argument('<run>', 'a run id, or its end')
    .option('--force', 'kill the run and all its processes if it does not stop in time')
    .option('--timeout <duration>', 'how long to wait for it (30s)')
    .option(...json)
    .action(async (run, options) => finish(await (await commands()).stopRunCommand(run, options)));
  located(runs.command('pause'))
    .description('Let a run finish what has begun and start nothing new until it is resumed.')
    .argument('[run]', 'a run id, or its end (default: the active run in this directory)')
    .option(...json)
    .action(async (run, options) => finish(await (await commands()).askRunCommand(run ?? null, 'pause', options)));
  located(runs.command('drain'))
    .description('Let a run finish what has begun, and then stop.')
    .argument('[run]', 'a run id, or its end (default: the active run in this directory)')
    .option(...json)
    .action(async (run, options) => finish(await (await commands()).askRunCommand(run ?? null, 'drain', options)));
  located(runs.command('resume'))
    .description('Continue a run that was killed, stopped or paused, or that is waiting, with its original settings.')
    .argument('[run]', 'a run id, or its end (default: the newest run of this directory)')
    .option('--json', 'print the result as one JSON object on standard output')
    .option('-q, --quiet', 'print only the result')
    .option('-V, --verbose', 'print more')
    .action(async (run, options) => finish(await (await commands()).resumeRunCommand(run ?? null, options)));
  located(runs.command('prune'))
    .description('Remove the folders of finished runs, and say why the others are kept.')
    .option('--older-than <duration>', 'only runs that ended at least this long ago (7d)')
    .option('--keep-failed', 'keep every run that is not done')
    .option('--dry-run', 'only print what would be removed')
    .option(...json)
    .action(async (options) => finish(await (await commands()).pruneRunsCommand(options)));
}

function located(command: Command): Command {
  return command
    .option('--root <folder>', 'only runs of the task folders below this one (.ralph/tasks)')
    .option('--project <id>', 'only runs of this project')
    .option('--task <id>', 'only runs of this task');
}

/** The error for `ralph runs` without a subcommand, or with an unknown one. */
function noSuchRunsCommand(word: string | undefined): OperatorError {
  const what =
    word === undefined
      ? 'ralph runs needs a subcommand: list, show, tail, stop, pause, drain, resume or prune'
      : `unknown command 'runs ${truncateCodePoints(word, 60, '…')}'`;
  return new OperatorError('usage', what, { hint: 'ralph runs --help lists the subcommands.', exitCode: 2 });
}
