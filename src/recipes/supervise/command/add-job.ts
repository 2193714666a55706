import { type Command, Option } from 'commander';
import type { Finish } from '../../../cli/shared/flags.ts';
import { withRootOptions } from './root-flags.ts';

const AFTER = `
When an agent calls this, its loop starts the job outside the processes of the agent: the job is
listed, awaited, and does not end with the agent. The command prints the run id at once and waits
for the end of the job. Project, task and parent are those of the agent; other settings default to
those of the loop.

Examples:
  ralph job -p "Write the tests of the parser" --agent claude
  ralph job --detach -f part-2.md
  ralph job --check "npm test" -- ./agent.sh --fast`;

/** One start of one agent, without a loop. */
export function addJob(program: Command, finish: Finish): void {
  const job = program
    .command('job')
    .description('Run an agent once on part of a task, for another run or on its own.')
    .argument('[command...]', 'after --: a command to run instead of an agent');
  withRootOptions(job);
  addKinship(job);
  job.addHelpText('after', AFTER);
  job.action(async (command, options) => finish(await (await import('./job.ts')).jobCommand(command, options)));
}

function addKinship(job: Command): void {
  job
    .optionsGroup('Parent and children:')
    .option('--parent-run-id <run>', 'the parent run (default: that of the calling agent)')
    .addOption(new Option('--run-id <run>', 'the run id that the loop chose').hideHelp())
    .option('--detach', 'return at once, with the run id')
    .option('--follow', 'show its output')
    .option('--wait-timeout <duration>', 'wait this long for its children (5m)')
    .option('--kill-children', 'end children that outlive the wait');
}
