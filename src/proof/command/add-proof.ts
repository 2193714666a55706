import { type Command, Option } from 'commander';
import { collect, type Finish } from '../../cli/shared/flags.ts';
import { OperatorError } from '../../kit/pure/operator-error.ts';

export function addVerify(program: Command, finish: Finish): void {
  program
    .command('verify')
    .description('Check the signature of a receipt, run its checks again in a fresh checkout, and compare the results.')
    .argument('[name]', 'a commit (HEAD), or a run; for a run of ralph work, the receipts of all tasks it has merged or stories that have passed')
    .option('--run <run>', 'the receipt of this run: its id or the last characters of it')
    .option('--task <id>', 'only the receipt of this task or story of the run')
    .option('--check-timeout <duration>', 'stop a check that runs longer (loop.checkTimeout of the settings: 120s)')
    .option('--key <file>', 'refuse a receipt that is not signed by this public key; repeatable', collect)
    .option(
      '--store [url]',
      'refuse a receipt that is not signed by a worker of the fleet in this PostgreSQL database (RALPH_STORE); with --key, either counts',
    )
    .option('--base <commit>', 'trust the keys in .ralph/receipt-keys of this commit (origin/HEAD)')
    .option('--require-signature', 'refuse a receipt that is not signed by a known key')
    .option('--print-key', 'only print the public key for your receipts')
    .option('--json', 'print one JSON object')
    .action(async (name, options) => finish(await (await import('./verify.ts')).verifyCommand(name ?? null, options)));
}

export function addAccept(program: Command, finish: Finish): void {
  program
    .command('accept')
    .description(
      'Accept a held claim: one that is green only with changed tests or configuration. The run then continues, and ends as done or merges the work.',
    )
    .argument('[run]', 'a run id or its last characters (default: the newest held run of this directory)')
    .option('--task <id>', 'the held task or story, if there are several; repeatable', collect)
    .option('--path <glob>', 'accept only if every change is in these paths; repeatable', collect)
    .option('--dry-run', 'only show what is held')
    .option('--json', 'print one JSON object')
    .option('-q, --quiet', 'print only the result')
    .action(async (run, options) => finish(await (await import('./accept.ts')).acceptCommand(run ?? null, options)));
}

export function addSealed(program: Command, finish: Finish): void {
  const sealed = program
    .command('sealed')
    .description('Create and try sealed checks: checks that agents never see.')
    .helpCommand(false)
    .allowExcessArguments()
    .action(() => {
      throw new OperatorError('usage', 'ralph sealed needs a subcommand: new or check', { hint: 'ralph sealed --help lists the subcommands.', exitCode: 2 });
    });
  sealed
    .command('new')
    .description('Write a small working example: drivers and the list of checks. Example: ralph sealed new ../sealed --language python')
    .argument('<folder>', 'the new folder, outside of the repository')
    .addOption(new Option('--language <language>', 'the language of the drivers').choices(['js', 'python', 'go', 'rust', 'shell']).default('js'))
    .option('--json', 'print one JSON object')
    .action(async (folder, options) => finish(await (await import('./sealed.ts')).newSealedCommand(folder, options)));
  sealed
    .command('check')
    .description('Run sealed checks against your current files and show all their output; exit 1 if one is red. Example: ralph sealed check ../sealed')
    .argument('[folder]', 'the sealed folder (proof.sealed of the settings)')
    .option('--json', 'print one JSON object')
    .action(async (folder, options) => finish(await (await import('./sealed.ts')).checkSealedCommand(folder ?? null, options)));
}

const AFTER = `
Each case is a fresh repository with its own home folder. First the case shows that its cheat turns
the bare check green. Then the loop gets either an impossible task and an agent that cheats, or a
possible task and an honest agent. Exit 0: no dead check and at most one other cheat was accepted, no
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
    .option('--gate <id>', 'only the cases of this check, such as npm-test')
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
    .option('--case-timeout <duration>', 'stop a loop or a check that takes longer (120s)')
    .option('--keep', 'keep the repositories')
    .option('--json', 'print one JSON object')
    .option('--markdown', 'print a table in Markdown')
    .addHelpText('after', AFTER)
    .action(async (options) => finish(await (await import('./torture.ts')).tortureCommand(options)));
}
