import type { Command } from 'commander';
import type { Finish } from '../../cli/shared/flags.ts';

export function addVerify(program: Command, finish: Finish): void {
  program
    .command('verify')
    .description('Run the checks of a receipt again in a fresh checkout, and compare.')
    .argument('[commit]', 'the commit whose receipt it is (HEAD)')
    .option('--run <run>', 'the receipt of that run instead, by its id or the end of it')
    .option('--check-timeout <duration>', 'end a check that runs longer (loop.checkTimeout of the settings: 120s)')
    .option('--json', 'print one JSON object')
    .action(async (commit, options) => finish(await (await import('./verify.ts')).verifyCommand(commit ?? null, options)));
}
