import type { Command } from 'commander';
import type { Finish } from '../../cli/shared/flags.ts';
import { OperatorError } from '../../kit/pure/operator-error.ts';
import { truncateCodePoints } from '../../kit/pure/text.ts';

const json = ['--json', 'print one JSON object'] as const;
const commands = () => import('./runs.ts');

/** `ralph runs` and its subcommands. */
export function addRuns(program: Command, finish: Finish): void {
  const runs = program
    .command('runs')
    .description('List, show, tail, stop, pause, drain, resume and prune the runs of this directory.')
    .helpCommand(false)
    .allowExcessArguments()
    .action((_options, { args: [word] }: Command) => {
      throw noSuchRunsCommand(word);
    });
  addViews(runs, finish);
  addChanges(runs, finish);
}

function addViews(runs: Command, finish: Finish): void {
  located(runs.command('list'))
    .description('List recent and active runs, nested under their parents.')
    .option('-a, --all', 'all runs')
    .option(...json)
    .action(async (options) => finish(await (await import('./runs-list.ts')).listRunsCommand(options)));
  located(runs.command('show'))
    .description('Show everything about one run: its iterations, its children, its files.')
    .argument('[run]', 'a run id or its last characters (default: the newest of this directory)')
    .option(...json)
    .action(async (run, options) => finish(await (await commands()).showRunCommand(run ?? null, options)));
  located(runs.command('tail'))
    .description('Print the output of the newest agent of a run.')
    .argument('[run]', 'a run id or its last characters (default: the newest of this directory)')
    .option('-f, --follow', 'keep printing, from one agent to the next, until the run ends')
    .option('-n, --lines <n>', 'number of lines (20)')
    .option('--raw', 'print the output exactly as the agent wrote it')
    .option('--json', 'print each message and action of the agent as one JSON object')
    .action(async (run, options) => finish(await (await commands()).tailRunCommand(run ?? null, options)));
}

function addChanges(runs: Command, finish: Finish): void {
  located(runs.command('stop'))
    .description('Ask a run to stop and wait until it has. If the run is dead, stop the processes it left behind.')
    .argument('<run>', 'a run id or its last characters')
    .option('--force', 'kill the run and all its processes if it does not stop in time')
    .option('--timeout <duration>', 'how long to wait (30s)')
    .option(...json)
    .action(async (run, options) => finish(await (await commands()).stopRunCommand(run, options)));
  located(runs.command('pause'))
    .description('Pause a run: running work finishes, nothing new starts until you resume it.')
    .argument('[run]', 'a run id or its last characters (default: the active run of this directory)')
    .option(...json)
    .action(async (run, options) => finish(await (await commands()).askRunCommand(run ?? null, 'pause', options)));
  located(runs.command('drain'))
    .description('Let a run finish its running work and then stop.')
    .argument('[run]', 'a run id or its last characters (default: the active run of this directory)')
    .option(...json)
    .action(async (run, options) => finish(await (await commands()).askRunCommand(run ?? null, 'drain', options)));
  located(runs.command('resume'))
    .description('Continue a run that was killed, stopped or paused, or that waits, with the settings it was started with.')
    .argument('[run]', 'a run id or its last characters (default: the newest of this directory)')
    .option('--json', 'print the result as one JSON object on standard output')
    .option('-q, --quiet', 'print only the result')
    .option('-V, --verbose', 'print more')
    .action(async (run, options) => finish(await (await commands()).resumeRunCommand(run ?? null, options)));
  located(runs.command('prune'))
    .description('Remove the folders of runs that are over, and what git keeps of them at refs/ralph; say why the others are kept.')
    .option('--older-than <duration>', 'only runs that ended longer ago than this (7d)')
    .option('--keep-failed', 'keep every run that did not end as done')
    .option('--dry-run', 'only say what would be removed')
    .option(...json)
    .action(async (options) => finish(await (await commands()).pruneRunsCommand(options)));
}

function located(command: Command): Command {
  return command
    .option('--root <folder>', 'only runs of task folders in this folder (.ralph/tasks)')
    .option('--project <id>', 'only runs of this project')
    .option('--task <id>', 'only runs of this task');
}

/** For `ralph runs` without a subcommand, or with an unknown one. */
function noSuchRunsCommand(word: string | undefined): OperatorError {
  const what =
    word === undefined
      ? 'ralph runs needs a subcommand: list, show, tail, stop, pause, drain, resume or prune'
      : `unknown command 'runs ${truncateCodePoints(word, 60, '…')}'`;
  return new OperatorError('usage', what, { hint: 'ralph runs --help lists the subcommands.', exitCode: 2 });
}
