import type { Command } from 'commander';
import type { Finish } from '../../cli/shared/flags.ts';

/** `ralph diff`. */
export function addDiff(program: Command, finish: Finish): void {
  program
    .command('diff')
    .description('Show the changes of a run, committed or not; of an active run, those that have landed so far.')
    .argument('[run]', 'a run id or its last characters (the newest)')
    .option('--stat', 'only list the files and the number of changed lines')
    .option('--live', 'of an active or killed run: changes of its agent that have not landed yet')
    .option('--json', 'print one JSON object')
    .action(async (run, options) => finish(await (await import('./undo.ts')).diffCommand(run ?? null, options)));
}

/** `ralph undo`. */
export function addUndo(program: Command, finish: Finish): void {
  program
    .command('undo')
    .description('Revert the commits and files of a run, except for what was changed since.')
    .argument('[run]', 'a run id or its last characters; without one, the newest is only named')
    .option('--dry-run', 'only say what would be reverted')
    .option('--json', 'print one JSON object')
    .action(async (run, options) => finish(await (await import('./undo.ts')).undoCommand(run ?? null, options)));
}
