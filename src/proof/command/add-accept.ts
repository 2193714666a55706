import type { Command } from 'commander';
import { collect, type Finish } from '../../cli/shared/flags.ts';

export function addAccept(program: Command, finish: Finish): void {
  program
    .command('accept')
    .description('Let a held claim pass: the changed tests or configuration it needs are all right. The run then goes on, and ends as done or merges it.')
    .argument('[run]', 'a run id, or its end (the newest run here that is held)')
    .option('--task <id>', 'of a plan or of stories: which one, where several are held; repeat it for more', collect)
    .option('--path <glob>', 'only if every change is in these paths; repeat it for more', collect)
    .option('--dry-run', 'only show what is held')
    .option('--json', 'print one JSON object')
    .option('-q, --quiet', 'print only the result')
    .action(async (run, options) => finish(await (await import('./accept.ts')).acceptCommand(run ?? null, options)));
}
