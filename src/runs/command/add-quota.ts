import type { Command } from 'commander';
import type { Finish } from '../../cli/shared/flags.ts';

const AFTER = `
Every run notes what its agents say of their usage limits, and no run starts an agent whose
account is limited: it waits, or another agent goes on (--agents). ralph quota --forget makes
the next run ask again, for example after you have bought more.

Example:
  ralph quota`;

/** `ralph quota`: what the runs of this machine know of usage limits. */
export function addQuota(program: Command, finish: Finish): void {
  program
    .command('quota')
    .description('Show what the agents last said of the usage limits of their accounts, and what all runs of this machine have cost today.')
    .option('--forget', 'forget the usage limits')
    .option('--json', 'print one JSON object')
    .addHelpText('after', AFTER)
    .action(async (options) => finish(await (await import('./quota.ts')).quotaCommand(options)));
}
