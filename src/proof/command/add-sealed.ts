import { type Command, Option } from 'commander';
import type { Finish } from '../../cli/shared/flags.ts';
import { OperatorError } from '../../kit/pure/operator-error.ts';

export function addSealed(program: Command, finish: Finish): void {
  const sealed = program
    .command('sealed')
    .description('Create and try sealed checks: checks that agents never see.')
    .helpCommand(false)
    .allowExcessArguments()
    .action(() => {
      throw new OperatorError('usage', 'ralph sealed needs a subcommand: new or check', { hint: 'ralph sealed --help lists the subcommands.', exitCode: 2 });
    });
  sealed
    .command('new')
    .description('Write a small working example: drivers and the list of checks. Example: ralph sealed new ../sealed --language python')
    .argument('<folder>', 'the new folder, outside of the repository')
    .addOption(new Option('--language <language>', 'the language of the drivers').choices(['js', 'python', 'go', 'rust', 'shell']).default('js'))
    .option('--json', 'print one JSON object')
    .action(async (folder, options) => finish(await (await import('./sealed.ts')).newSealedCommand(folder, options)));
  sealed
    .command('check')
    .description('Run sealed checks against your current files and show all their output; exit 1 if one is red. Example: ralph sealed check ../sealed')
    .argument('[folder]', 'the sealed folder (proof.sealed of the settings)')
    .option('--json', 'print one JSON object')
    .action(async (folder, options) => finish(await (await import('./sealed.ts')).checkSealedCommand(folder ?? null, options)));
}
