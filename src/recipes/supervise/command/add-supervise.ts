import type { Command } from 'commander';
import { collect, type Finish } from '../../../cli/shared/flags.ts';
import { withRootOptions } from './root-flags.ts';

const AFTER = `
The loop stops when <root>/<project>/<task>/DONE exists and every check is green; an exit code
never stops it. A root agent posts on the bus (ralph bus), starts children (ralph job) and may ask
not to be restarted: exit code 42, a bus message of type wait_without_restart, or a file
WAIT_WITHOUT_RESTART in its task folder. Continue with: ralph runs resume

Examples:
  ralph supervise --task task-001 --agent claude -p "Build the importer" --check "npm test"
  ralph supervise --task nightly --restart-delay 10s --backoff 5m -- ./agent.sh --fast`;

export function addSupervise(program: Command, finish: Finish): void {
  const supervise = program
    .command('supervise')
    .description('Keep a root agent going until its task folder says DONE, and clean up after it whatever happens.')
    .argument('[command...]', 'after --: a command to run instead of an agent');
  withRootOptions(supervise);
  addRestarts(supervise);
  addEnding(supervise);
  supervise.addHelpText('after', AFTER).action(async (command, options) => finish(await (await import('./supervise.ts')).superviseCommand(command, options)));
}

function addRestarts(supervise: Command): void {
  supervise
    .optionsGroup('Restarts:')
    .option('--max-restarts <n>', 'start the agent at most this often (100)')
    .option('--restart-delay <duration>', 'the pause between two starts (1s)')
    .option('--backoff <duration>', 'double the pause after each further failure in a row, up to this (off)')
    .option('--restart-intensity <n/duration>', 'give up after more than n failures within that time, such as 5/10m (off)')
    .option('--depends-on <task>', 'a task of the same project that must be done first; repeat it for more', collect)
    .option('--poll-interval <duration>', 'how often to check DONE, children and dependencies (1s)');
}

function addEnding(supervise: Command): void {
  supervise
    .optionsGroup('The end:')
    .option('--finish-on-done <duration>', 'stop an agent that keeps running this long after DONE (1m, 0 = never)')
    .option('--wait-timeout <duration>', 'wait this long for children after DONE (5m)')
    .option('--wait-scope <scope>', 'task: wait for children in this task; project: also in other tasks of the project (task)')
    .option('--kill-children', 'end children that outlive the wait')
    .option('--fail-on-blocked', 'exit 3 instead of 0 when the agent waits, and stop when a dependency has failed');
}
