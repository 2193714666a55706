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
    .optionsGroup('When it is restarted:')
    .option('--max-restarts <n>', 'run the agent so often at most (100)')
    .option('--restart-delay <duration>', 'the pause between two lives (1s)')
    .option('--backoff <duration>', 'double the pause after every further failure in a row, up to this (off)')
    .option('--restart-intensity <n/duration>', 'give up after more failures than n within that time, such as 5/10m (off)')
    .option('--depends-on <task>', 'a task of the same project that must be done first; repeat it for more', collect)
    .option('--poll-interval <duration>', 'how often DONE, children and dependencies are looked at (1s)');
}

function addEnding(supervise: Command): void {
  supervise
    .optionsGroup('When it is done:')
    .option('--finish-on-done <duration>', 'end an agent that stays on so long after DONE (1m, 0 = never)')
    .option('--wait-timeout <duration>', 'wait for children so long after DONE (5m)')
    .option('--wait-scope <scope>', 'task: the children in this task; project: also those in other tasks of the project (task)')
    .option('--kill-children', 'end children that outlive the wait')
    .option('--fail-on-blocked', 'exit 3 instead of 0 when the agent waits, and stop when a dependency has failed');
}
