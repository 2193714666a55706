import type { Command } from 'commander';
import type { Finish } from '../../cli/shared/flags.ts';

/** `ralph watch`. */
export function addWatch(program: Command, finish: Finish): void {
  program
    .command('watch')
    .description('Watch runs at work: what each worker does, what it costs, and what waits for you. Answer, pause and stop from there.')
    .argument('[run]', 'a run id or its last characters (default: every run of this repository that is at work)')
    .option('--store [url]', 'watch the fleets of this PostgreSQL database, or a run of theirs, from any folder (RALPH_STORE; see ralph fleet)')
    .option('--once', 'print the screen once and exit')
    .option('--json', 'print it once as one JSON object')
    .option('--plain', 'print changes as lines, also on a terminal')
    .action(async (run, options) => {
      if (options.store !== undefined) return finish(await (await import('../../fleet/command/watch-fleet.ts')).watchFleetCommand(run ?? null, options));
      finish(await (await import('./watch.ts')).watchCommand(run ?? null, options));
    });
}
