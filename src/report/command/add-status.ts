import type { Command } from 'commander';
import type { Finish } from '../../cli/shared/flags.ts';

/** `ralph status` works for any run. For a run on a plan it also prints what `just ralph-status` prints in seed 000. */
export function addStatus(program: Command, finish: Finish): void {
  program
    .command('status')
    .description('Show the newest run of this directory, or the named one. For ralph work also its heartbeat, its last log entries and who holds which task.')
    .argument('[run]', 'a run id, or its end')
    .option('--stale-after <duration>', 'for ralph work: exit 1 when its heartbeat is older than this, such as 1h')
    .option('--json', 'print one JSON object')
    .action(async (run, options) => finish(await (await import('./status.ts')).statusCommand(run ?? null, options)));
}

/** Prints what `just ralph-logs` prints in seed 000. */
export function addLogs(program: Command, finish: Finish): void {
  program
    .command('logs')
    .description('Print the log of ralph work: each task as it starts, completes or fails.')
    .option('-f, --follow', 'keep printing until you stop it')
    .option('-n, --lines <n>', 'how many entries from the end (20)')
    .option('--json', 'print each entry as one JSON object')
    .action(async (options) => finish(await (await import('./logs.ts')).logsCommand(options)));
}
