import type { Command } from 'commander';
import { collect, type Finish } from '../../cli/shared/flags.ts';

export function addVerify(program: Command, finish: Finish): void {
  program
    .command('verify')
    .description('Check the signature of a receipt, run its checks again in a fresh checkout, and compare the results.')
    .argument('[name]', 'a commit (HEAD), or a run; for a run of ralph work, the receipts of all tasks it has merged')
    .option('--run <run>', 'the receipt of this run: its id or the last characters of it')
    .option('--task <id>', 'only the receipt of this task of the run')
    .option('--check-timeout <duration>', 'stop a check that runs longer (loop.checkTimeout of the settings: 120s)')
    .option('--key <file>', 'refuse a receipt that is not signed by this public key; repeatable', collect)
    .option('--base <commit>', 'trust the keys in .ralph/receipt-keys of this commit (origin/HEAD)')
    .option('--require-signature', 'refuse a receipt that is not signed by a known key')
    .option('--print-key', 'only print the public key for your receipts')
    .option('--json', 'print one JSON object')
    .action(async (name, options) => finish(await (await import('./verify.ts')).verifyCommand(name ?? null, options)));
}
