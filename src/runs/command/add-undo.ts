import type { Command } from 'commander';
import type { Finish } from '../../cli/shared/flags.ts';

export function addDiff(program: Command, finish: Finish): void {
  program
    .command('diff')
    .description('Show what a run changed, committed or not. For an active run: what has landed so far.')
    .argument('<run>', 'a run id, or its end')
    .option('--stat', 'print only the files and how much of each changed')
    .option('--live', 'for an active run: what its agent has changed and has not landed yet')
    .option('--json', 'print one JSON object')
    .action(async (run, options) => finish(await (await import('./undo.ts')).diffCommand(run, options)));
}

export function addUndo(program: Command, finish: Finish): void {
  program
    .command('undo')
    .description('Undo what a run did: its commits and its files, except files changed since.')
    .argument('<run>', 'a run id, or its end')
    .option('--dry-run', 'only print what would be undone')
    .option('--json', 'print one JSON object')
    .action(async (run, options) => finish(await (await import('./undo.ts')).undoCommand(run, options)));
}
