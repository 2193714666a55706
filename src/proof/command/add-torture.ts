import { type Command, Option } from 'commander';
import { collect, type Finish } from '../../cli/shared/flags.ts';

const AFTER = `
Each case is a fresh repository with a home of its own. A cheat is first shown to turn the bare gate
green; then the loop gets an impossible task with an agent that cheats, or a task that an honest
agent does. Exit code 0: no dead gate and at most one other cheat was accepted, no honest work was
refused, every case says something. 1: not so. 2: nothing could be run.

Examples:
  ralph torture --install
  ralph torture --gate npm-test
  ralph torture --preset ralphy --loop-bin ~/rivals/node_modules/.bin/ralphy
  ralph torture --loop "my-loop --prompt {prompt} --check {gate} --agent {agent}"`;

export function addTorture(program: Command, finish: Finish): void {
  program
    .command('torture')
    .description('Let scripted cheats and honest agents loose on Ralph, or on another loop, and count what it believes.')
    .optionsGroup('Whom:')
    .option('--loop <command>', 'another loop: a command line with {prompt}, {gate}, {agent} and {dir}; done is exit code 0')
    .option('--preset <name>', 'a loop that is known by name (ralph)')
    .option('--loop-bin <command>', 'where the program of that preset is')
    .addOption(new Option('--proof <level>', "Ralph's level of proof (living)").choices(['off', 'green', 'living']))
    .optionsGroup('Which cases:')
    .option('--gate <id>', 'only the cases of this gate, such as npm-test')
    .option('--case <id>', 'only this case, such as npm-test/skip-the-test; repeat it for more', collect)
    .addOption(
      new Option('--part <part>', 'the open part of the set, the one that was blind once, the blind one, or all')
        .choices(['open', 'learned', 'blind', 'all'])
        .default('all'),
    )
    .optionsGroup('How:')
    .option('--install', 'first fetch the runners that npm and pip have, into the cache folder')
    .option('--jobs <n>', 'cases at the same time (half of the processors)')
    .option('--case-timeout <duration>', 'end a loop that takes longer, or a gate (120s)')
    .option('--keep', 'leave the repositories where they are')
    .option('--json', 'print one JSON object')
    .option('--markdown', 'print a table in Markdown')
    .addHelpText('after', AFTER)
    .action(async (options) => finish(await (await import('./torture.ts')).tortureCommand(options)));
}
