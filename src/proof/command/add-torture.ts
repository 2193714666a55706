import { type Command, Option } from 'commander';
import { collect, type Finish } from '../../cli/shared/flags.ts';

const AFTER = `
Each case is a fresh repository with its own home folder. First the case shows that its cheat turns
the bare gate green. Then the loop gets either an impossible task and an agent that cheats, or a
possible task and an honest agent. Exit 0: no dead gate and at most one other cheat was accepted, no
honest work was refused, every case gave a result. Exit 1: otherwise. Exit 2: nothing could be run.

Examples:
  ralph torture --install
  ralph torture --gate npm-test
  ralph torture --preset ralphy --loop-bin ~/rivals/node_modules/.bin/ralphy
  ralph torture --loop "my-loop --prompt {prompt} --check {gate} --agent {agent}"`;

export function addTorture(program: Command, finish: Finish): void {
  program
    .command('torture')
    .description('Test Ralph or another loop with scripted agents, cheating and honest, and count which claims it accepts.')
    .optionsGroup('Loop under test:')
    .option('--loop <command>', 'another loop: a command line with {prompt}, {gate}, {agent} and {dir}; exit 0 means done')
    .option('--preset <name>', 'a loop that Ralph knows by name (ralph)')
    .option('--loop-bin <command>', 'the program of that preset')
    .addOption(new Option('--proof <level>', "Ralph's level of proof (living)").choices(['off', 'green', 'living']))
    .option('--sealed', 'run only the cases that have sealed checks, and give these to Ralph')
    .optionsGroup('Cases:')
    .option('--gate <id>', 'only the cases of this gate, such as npm-test')
    .option('--case <id>', 'only this case, such as npm-test/skip-the-test; repeatable', collect)
    .addOption(
      new Option(
        '--part <part>',
        'open: known when the rules were written; learned: blind until rules were fixed for it; blind: written without knowing the rules; or all',
      )
        .choices(['open', 'learned', 'blind', 'all'])
        .default('all'),
    )
    .optionsGroup('How to run them:')
    .option('--install', 'first install test runners from npm and pip into the cache folder')
    .option('--jobs <n>', 'number of cases to run at the same time (half of the processors)')
    .option('--case-timeout <duration>', 'stop a loop or a gate that takes longer (120s)')
    .option('--keep', 'keep the repositories')
    .option('--json', 'print one JSON object')
    .option('--markdown', 'print a table in Markdown')
    .addHelpText('after', AFTER)
    .action(async (options) => finish(await (await import('./torture.ts')).tortureCommand(options)));
}
