import type { Command } from 'commander';
import type { Finish } from '../../cli/shared/flags.ts';
import { OperatorError } from '../../kit/pure/operator-error.ts';
import { truncateCodePoints } from '../../kit/pure/text.ts';

export function addWorktree(program: Command, finish: Finish): void {
  const worktree = program
    .command('worktree')
    .description('Create, list and remove the git worktrees of ralph, in a folder beside the repository.')
    .helpCommand(false)
    .allowExcessArguments()
    .action((_options, { args: [word] }: Command) => {
      throw noSuchWorktreeCommand(word);
    });
  const commands = () => import('./worktree.ts');
  const json = ['--json', 'print one JSON object'] as const;
  worktree
    .command('new')
    .description('Create a worktree of HEAD on a new branch, set up as "worktree" in the settings says.')
    .argument('<name>', 'the name of the worktree; its branch is ralph/<name>')
    .option(...json)
    .action(async (name, options) => finish(await (await commands()).newWorktreeCommand(name, options)));
  worktree
    .command('list')
    .description('List the worktrees of ralph: run, task, changes, and commits ahead of and behind the base.')
    .option(...json)
    .action(async (options) => finish(await (await commands()).listWorktreesCommand(options)));
  worktree
    .command('remove')
    .description('Remove a worktree whose work is merged; its branch is kept.')
    .argument('<worktree>', 'its name, path, branch or run id')
    .option('--force', 'also if it has uncommitted or unmerged work, or a task in it is claimed by a person')
    .option('--branch', 'delete its branch too')
    .option(...json)
    .action(async (which, options) => finish(await (await commands()).removeWorktreeCommand(which, options)));
  worktree
    .command('clean')
    .description('Remove every worktree whose run is over and that has no unmerged work; say why the others are kept.')
    .option('--dry-run', 'only say what would be removed')
    .option(...json)
    .action(async (options) => finish(await (await commands()).cleanWorktreesCommand(options)));
}

/** For `ralph worktree` without a subcommand, or with an unknown one. */
function noSuchWorktreeCommand(word: string | undefined): OperatorError {
  const what =
    word === undefined ? 'ralph worktree needs a subcommand: new, list, remove or clean' : `unknown command 'worktree ${truncateCodePoints(word, 60, '…')}'`;
  return new OperatorError('usage', what, { hint: 'ralph worktree --help lists the subcommands.', exitCode: 2 });
}
