import type { Command } from 'commander';
import type { Finish } from '../../cli/shared/finish.ts';

/** `ralph status`: of any run; of one on a plan also what `just ralph-status` prints in seed 000. */
export function addStatus(program: Command, finish: Finish): void {
  program
    .command('status')
    .description('Show the newest run of this directory, or the one named; of ralph work also its heartbeat, its last entries, and who has which task.')
    .argument('[run]', 'a run id, or its end')
    .option('--stale-after <duration>', 'of ralph work: exit 1 when its heartbeat is older than this, such as 1h')
    .option('--json', 'print one JSON object')
    .action(async (run, options) => finish(await (await import('./status.ts')).statusCommand(run ?? null, options)));
}
