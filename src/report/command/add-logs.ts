import type { Command } from 'commander';
import type { Finish } from '../../cli/shared/finish.ts';

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
