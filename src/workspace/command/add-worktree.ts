import type { Command } from 'commander';
import type { Finish } from '../../cli/shared/flags.ts';
import { OperatorError } from '../../kit/pure/operator-error.ts';
import { truncateCodePoints } from '../../kit/pure/text.ts';

export function addWorktree(program: Command, finish: Finish): void {
  const worktree = program
    .command('worktree')
    .description('Make, list and remove worktrees of ralph, which lie beside the repository.')
    .helpCommand(false)
    .allowExcessArguments()
    .action((_options, { args: [word] }: Command) => {
      throw noSuchWorktreeCommand(word);
    });
  const commands = () => import('./worktree.ts');
  const json = ['--json', 'print one JSON object'] as const;
  worktree
    .command('new')
    .description('Make a worktree of HEAD on a branch of its own, with what worktree in the settings brings along.')
    .argument('<name>', 'its name; the branch is ralph/<name>')
    .option(...json)
    .action(async (name, options) => finish(await (await commands()).newWorktreeCommand(name, options)));
  worktree
    .command('list')
    .description('Show every worktree of ralph, its run and its task, what is in it, and how far it is from its base.')
    .option(...json)
    .action(async (options) => finish(await (await commands()).listWorktreesCommand(options)));
  worktree
    .command('remove')
    .description('Remove one whose work is merged; its branch is kept.')
    .argument('<worktree>', 'its name, path, branch or run id')
    .option('--force', 'also when something in it is not committed, not merged, or claimed by hand')
    .option('--branch', 'delete its branch too')
    .option(...json)
    .action(async (which, options) => finish(await (await commands()).removeWorktreeCommand(which, options)));
  worktree
    .command('clean')
    .description('Remove all whose run is over and whose work is merged, or that have none, and say why the others are kept.')
    .option('--dry-run', 'only say what would be removed')
    .option(...json)
    .action(async (options) => finish(await (await commands()).cleanWorktreesCommand(options)));
}

/** For `ralph worktree` with no word after it, or with one that is none of its commands. */
function noSuchWorktreeCommand(word: string | undefined): OperatorError {
  const what =
    word === undefined ? 'ralph worktree needs a word: new, list, remove or clean' : `unknown command 'worktree ${truncateCodePoints(word, 60, '…')}'`;
  return new OperatorError('usage', what, { hint: 'ralph worktree --help shows what there is.', exitCode: 2 });
}
