import type { Command } from 'commander';
import type { Finish } from '../../cli/shared/flags.ts';

/** `ralph status`: for any run; for `ralph work` also what `just ralph-status` prints in seed 000. */
export function addStatus(program: Command, finish: Finish): void {
  program
    .command('status')
    .description('Show a run; for ralph work also its heartbeat, its last log entries and who holds which task.')
    .argument('[run]', 'a run id or its last characters (default: the newest run of this directory)')
    .option('--stale-after <duration>', 'for ralph work: exit 1 if the heartbeat is older than this, such as 1h')
    .option('--json', 'print one JSON object')
    .action(async (run, options) => finish(await (await import('./status.ts')).statusCommand(run ?? null, options)));
}

/** `ralph logs`: what `just ralph-logs` prints in seed 000. */
export function addLogs(program: Command, finish: Finish): void {
  program
    .command('logs')
    .description('Print the log of ralph work: when each task was started, completed or failed.')
    .option('-f, --follow', 'keep printing new entries until you stop it')
    .option('-n, --lines <n>', 'number of entries (20)')
    .option('--json', 'print each entry as one JSON object')
    .action(async (options) => finish(await (await import('./logs.ts')).logsCommand(options)));
}
