import type { Command } from 'commander';
import type { Finish } from '../../cli/shared/flags.ts';

/** `ralph guard`. */
export function addGuard(program: Command, finish: Finish): void {
  const guard = program.command('guard').description('Ask the guard, which looks at every command of an agent before it runs.').helpCommand(false);
  const commands = () => import('./guard-commands.ts');
  guard
    .command('explain')
    .description('Say what the guard thinks of a command here, and why. Nothing is run. Exit 0: it may run; 1: it is blocked.')
    .argument('<command>', 'the command in quotes; - is standard input')
    .option('--json', 'print one JSON object')
    .action(async (command, options) => finish(await (await commands()).explainCommand(command, options)));
  guard
    .command('list')
    .description('Show what the guard looks for.')
    .option('--json', 'print one JSON object')
    .action(async (options) => finish((await commands()).listCommand(options)));
}
