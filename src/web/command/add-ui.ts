import type { Command } from 'commander';
import type { Finish } from '../../cli/shared/flags.ts';

/** `ralph ui`. */
export function addUi(program: Command, finish: Finish): void {
  program
    .command('ui')
    .description('Watch and steer runs in a browser: what is proven, what it costs, who needs you, and why a run is not done yet.')
    .argument('[run]', 'with --export: a run id or its last characters (default: the newest)')
    .option('--export <file>', 'write a run as one HTML file with the same views, which works offline, and exit')
    .option('--port <n>', 'port to listen at (default: 4747, or any free one if it is taken)')
    .option('--host <address>', 'address to listen at; others than this machine can then reach it (default: 127.0.0.1)')
    .option('--open', 'open the page in your browser')
    .option('--read-only', 'show only; refuse every action')
    .option('--root <dir>', 'show every project in this folder, not only the current one')
    .option('--store [url]', 'show the fleets of this PostgreSQL database and their runs as well (RALPH_STORE; see ralph fleet)')
    .addHelpText('after', '\nExample:\n  ralph ui --open')
    .action(async (run, options) => finish(await (await import('./ui.ts')).uiCommand(run ?? null, options)));
}
