import type { Command } from 'commander';
import { collect, type Finish } from '../../cli/shared/flags.ts';

export function addVerify(program: Command, finish: Finish): void {
  program
    .command('verify')
    .description('Check who signed a receipt, run its checks again in a fresh checkout, and compare.')
    .argument('[name]', 'the commit whose receipt it is (HEAD), or a run: of ralph work the receipts of all tasks it has merged')
    .option('--run <run>', 'the receipt of that run instead, by its id or the end of it')
    .option('--task <id>', 'only that of this task of the run')
    .option('--check-timeout <duration>', 'end a check that runs longer (loop.checkTimeout of the settings: 120s)')
    .option('--key <file>', 'refuse a receipt that this public key has not signed; repeat it for more', collect)
    .option('--base <commit>', 'believe the keys in .ralph/receipt-keys of this commit (origin/HEAD)')
    .option('--require-signature', 'refuse a receipt without a signature by a known key')
    .option('--print-key', 'only print the public half of the key that signs your receipts')
    .option('--json', 'print one JSON object')
    .action(async (name, options) => finish(await (await import('./verify.ts')).verifyCommand(name ?? null, options)));
}
