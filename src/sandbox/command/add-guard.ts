import type { Command } from 'commander';
import type { Finish } from '../../cli/shared/flags.ts';

/** Registers `ralph guard`. */
export function addGuard(program: Command, finish: Finish): void {
  const guard = program.command('guard').description('Query the guard, which checks every command of an agent before it runs.').helpCommand(false);
  const commands = () => import('./guard-commands.ts');
  guard
    .command('explain')
    .description('Show whether the guard would allow a command here, and why. Runs nothing. Exit 0: allowed; 1: blocked.')
    .argument('<command>', 'the command in quotes; - reads standard input')
    .option('--json', 'print one JSON object')
    .action(async (command, options) => finish(await (await commands()).explainCommand(command, options)));
  guard
    .command('list')
    .description('List the rules of the guard.')
    .option('--json', 'print one JSON object')
    .action(async (options) => finish((await commands()).listCommand(options)));
}
