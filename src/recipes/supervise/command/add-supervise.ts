import type { Command } from 'commander';
import { collect, type Finish, otherName } from '../../../cli/shared/flags.ts';
import { withRootOptions } from './root-flags.ts';

const AFTER = `
The loop stops when <root>/<project>/<task>/DONE exists and every check is green. An exit code of the
agent never stops it. The root agent can post on the bus (ralph bus), start children (ralph job) and
ask not to be restarted: with exit code 42, a bus message of type wait_without_restart, or a file
WAIT_WITHOUT_RESTART in its task folder. To continue then: ralph runs resume

Examples:
  ralph supervise --task task-001 --agent claude -p "Build the importer" --check "npm test"
  ralph supervise --task nightly --restart-delay 10s --backoff 5m -- ./agent.sh --fast`;

export function addSupervise(program: Command, finish: Finish): void {
  const supervise = program
    .command('supervise')
    .description('Restart a root agent until its task folder contains DONE, and always clean up after it.')
    .argument('[command...]', 'after --: a command to run instead of an agent');
  withRootOptions(supervise);
  addRestarts(supervise);
  addEnding(supervise);
  supervise.addHelpText('after', AFTER).action(async (command, options) => finish(await (await import('./supervise.ts')).superviseCommand(command, options)));
}

function addRestarts(supervise: Command): void {
  supervise
    .optionsGroup('Restarts:')
    .option('--max-restarts <n>', 'run the agent at most this often (100)')
    .addOption(otherName('-n, --max-iterations <n>', 'max-restarts'))
    .addOption(otherName('-m, --maximum-iterations <n>', 'max-restarts'))
    .option('--max-cost <usd>', 'maximum cost of all starts of the agent together in US dollars, without its children (no limit)')
    .option('--max-cost-per-day <usd>', 'maximum cost in US dollars of all runs of this machine together in a day (no limit)')
    .option('--restart-delay <duration>', 'the pause before each restart (1s)')
    .option('--backoff <duration>', 'double the pause after each consecutive failure, up to this long (off)')
    .option('--restart-intensity <n/duration>', 'give up after more than n failures within this time, such as 5/10m (off)')
    .option('--depends-on <task>', 'a task of the same project that must be done first; repeatable', collect)
    .option('--poll-interval <duration>', 'how often to check DONE, children and dependencies (1s)');
}

function addEnding(supervise: Command): void {
  supervise
    .optionsGroup('After DONE:')
    .option('--finish-on-done <duration>', 'stop an agent that still runs this long after DONE (1m, 0 = never)')
    .option('--wait-timeout <duration>', 'how long to wait for children after DONE (5m)')
    .option('--wait-scope <scope>', 'task: wait for children in this task; project: also in other tasks of the project (task)')
    .option('--kill-children', 'stop children that are still running after that')
    .option('--fail-on-blocked', 'exit 3 instead of 0 when the agent asks not to be restarted, and stop when a dependency has failed');
}
