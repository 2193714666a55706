import type { Command } from 'commander';
import type { Finish } from '../../cli/shared/flags.ts';

/** `ralph diff`. */
export function addDiff(program: Command, finish: Finish): void {
  program
    .command('diff')
    .description('Show what a run changed, committed or not; of one at work, what has landed so far.')
    .argument('<run>', 'a run id, or its end')
    .option('--stat', 'only the files, and how much of each')
    .option('--live', 'of one at work: what its agent has changed that has not landed yet')
    .option('--json', 'print one JSON object')
    .action(async (run, options) => finish(await (await import('./undo.ts')).diffCommand(run, options)));
}

/** `ralph undo`. */
export function addUndo(program: Command, finish: Finish): void {
  program
    .command('undo')
    .description('Take back what a run has done: its commits and its files, but for what was changed since.')
    .argument('<run>', 'a run id, or its end')
    .option('--dry-run', 'only say what would be taken back')
    .option('--json', 'print one JSON object')
    .action(async (run, options) => finish(await (await import('./undo.ts')).undoCommand(run, options)));
}
