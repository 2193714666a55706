import type { Command } from 'commander';
import type { Finish } from '../../cli/shared/flags.ts';
import { OperatorError } from '../../kit/pure/operator-error.ts';
import { truncateCodePoints } from '../../kit/pure/text.ts';

const json = ['--json', 'print one JSON object'] as const;
const commands = () => import('./runs.ts');

/** `ralph runs` and its words. */
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
    .description('Show the newest runs and all that are at work, below the runs that asked for them.')
    .option('-a, --all', 'every run there is')
    .option(...json)
    .action(async (options) => finish(await (await import('./runs-list.ts')).listRunsCommand(options)));
  located(runs.command('show'))
    .description('Show all that is known of one run: every iteration, its children, its files.')
    .argument('<run>', 'a run id, or its end')
    .option(...json)
    .action(async (run, options) => finish(await (await commands()).showRunCommand(run, options)));
  located(runs.command('tail'))
    .description('Print what the newest agent of a run has said.')
    .argument('<run>', 'a run id, or its end')
    .option('-f, --follow', 'go on, from one agent to the next, until the run ends')
    .option('-n, --lines <n>', 'how many of the last lines (20)')
    .option('--raw', 'exactly as the agent wrote it')
    .option('--json', 'print one JSON object for each thing the agent said or did')
    .action(async (run, options) => finish(await (await commands()).tailRunCommand(run, options)));
}

function addDeeds(runs: Command, finish: Finish): void {
  located(runs.command('stop'))
    .description('Ask a run to stop, and wait until it has. Of a dead run, end what it left behind.')
    .argument('<run>', 'a run id, or its end')
    .option('--force', 'kill it when it does not stop in time, with all it started')
    .option('--timeout <duration>', 'how long it is waited for (30s)')
    .option(...json)
    .action(async (run, options) => finish(await (await commands()).stopRunCommand(run, options)));
  located(runs.command('pause'))
    .description('Let a run finish what has begun and start nothing new, until it is resumed.')
    .argument('[run]', 'a run id, or its end; the one that is at work in this directory if none is named')
    .option(...json)
    .action(async (run, options) => finish(await (await commands()).askRunCommand(run ?? null, 'pause', options)));
  located(runs.command('drain'))
    .description('Let a run finish what has begun, and then stop.')
    .argument('[run]', 'a run id, or its end; the one that is at work in this directory if none is named')
    .option(...json)
    .action(async (run, options) => finish(await (await commands()).askRunCommand(run ?? null, 'drain', options)));
  located(runs.command('resume'))
    .description('Continue a run that was killed, stopped, paused or waits, with the settings it was started with.')
    .argument('[run]', 'a run id, or its end; the newest of this directory if none is named')
    .option('--json', 'print the result as one JSON object on standard output')
    .option('-q, --quiet', 'print only the result')
    .option('-V, --verbose', 'print more')
    .action(async (run, options) => finish(await (await commands()).resumeRunCommand(run ?? null, options)));
  located(runs.command('prune'))
    .description('Remove the folders of runs that are over, and say why the others are kept.')
    .option('--older-than <duration>', 'only those whose end is so long ago (7d)')
    .option('--keep-failed', 'keep every run that did not get done')
    .option('--dry-run', 'only say what would be removed')
    .option(...json)
    .action(async (options) => finish(await (await commands()).pruneRunsCommand(options)));
}

function located(command: Command): Command {
  return command
    .option('--root <folder>', 'only runs of the task folders below this one (.ralph/tasks)')
    .option('--project <id>', 'only runs of this project')
    .option('--task <id>', 'only runs of this task');
}

/** For `ralph runs` with no word after it, or with one that is none of its commands. */
function noSuchRunsCommand(word: string | undefined): OperatorError {
  const what =
    word === undefined
      ? 'ralph runs needs a word: list, show, tail, stop, pause, drain, resume or prune'
      : `unknown command 'runs ${truncateCodePoints(word, 60, '…')}'`;
  return new OperatorError('usage', what, { hint: 'ralph runs --help shows what there is.', exitCode: 2 });
}
