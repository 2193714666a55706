import { type Command, Option } from 'commander';
import type { Finish } from '../../../cli/shared/flags.ts';
import { withRootOptions } from './root-flags.ts';

const AFTER = `
When an agent calls this while its loop is running, the loop starts the job, outside of the agent's
own processes: the job survives the end of the agent, and the loop waits for it. The command prints
the id of the new run at once and waits for its end. Project, task and parent are those of the
agent; options that are not given are those of the loop.

Examples:
  ralph job -p "Write the tests of the parser" --agent claude
  ralph job --detach -f part-2.md
  ralph job --check "npm test" -- ./agent.sh --fast`;

/** `ralph job`: one run of one agent, without restarts. */
export function addJob(program: Command, finish: Finish): void {
  const job = program
    .command('job')
    .description('Run an agent once on a part of a task, as a child of another run or on its own.')
    .argument('[command...]', 'after --: a command to run instead of an agent');
  withRootOptions(job);
  addParentAndChildren(job);
  job.addHelpText('after', AFTER);
  job.action(async (command, options) => finish(await (await import('./job.ts')).jobCommand(command, options)));
}

function addParentAndChildren(job: Command): void {
  job
    .optionsGroup('Parent and children:')
    .option('--parent-run-id <run>', 'the run that starts this job (the run of the calling agent)')
    .addOption(new Option('--run-id <run>', 'the run id assigned by the loop').hideHelp())
    .option('--detach', 'print the run id and return at once')
    .option('--follow', 'show the output of the agent')
    .option('--wait-timeout <duration>', 'how long to wait for child runs (5m)')
    .option('--kill-children', 'stop child runs that are still running after that');
}
