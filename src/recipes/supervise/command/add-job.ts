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

/** `ralph job`: one life of one agent, without a loop. */
export function addJob(program: Command, finish: Finish): void {
  const job = program
    .command('job')
    .description('Run an agent once on a part of a task, for the run that asks for it or on its own.')
    .argument('[command...]', 'after --: a command to run instead of an agent');
  withRootOptions(job);
  addKinship(job);
  job.addHelpText('after', AFTER);
  job.action(async (command, options) => finish(await (await import('./job.ts')).jobCommand(command, options)));
}

function addKinship(job: Command): void {
  job
    .optionsGroup('Where it comes from, and what comes from it:')
    .option('--parent-run-id <run>', "the run that asks for it (the agent's own)")
    .addOption(new Option('--run-id <run>', 'the id its loop has given it').hideHelp())
    .option('--detach', 'come back at once, with the id of its run')
    .option('--follow', 'show what it prints')
    .option('--wait-timeout <duration>', 'wait so long for the runs it has asked for (5m)')
    .option('--kill-children', 'end those that outlive the wait');
}
