import type { Command } from 'commander';
import type { Finish } from '../../../cli/shared/flags.ts';

/** `ralph notify`. */
export function addNotify(program: Command, finish: Finish): void {
  program
    .command('notify')
    .description('Show who is told what (the group notify of the settings), or send a test message.')
    .option('--test [channel]', 'send a test message by all channels, or by this one; exit 1 if none arrived')
    .option('-c, --config <path>', 'a settings file, as for ralph loop --config')
    .option('--json', 'print one JSON object')
    .addHelpText('after', '\nExample:\n  ralph notify --test slack')
    .action(async (options) => finish(await (await import('./notify.ts')).notifyCommand(options)));
}
