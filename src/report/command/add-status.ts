import type { Command } from 'commander';
import type { Finish } from '../../cli/shared/flags.ts';

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

/** `ralph logs`: what `just ralph-logs` prints in seed 000. */
export function addLogs(program: Command, finish: Finish): void {
  program
    .command('logs')
    .description('Print the log of ralph work: each task as it is started, completed, failed.')
    .option('-f, --follow', 'go on until you stop it')
    .option('-n, --lines <n>', 'how many of the last entries (20)')
    .option('--json', 'print each entry as one JSON object')
    .action(async (options) => finish(await (await import('./logs.ts')).logsCommand(options)));
}
