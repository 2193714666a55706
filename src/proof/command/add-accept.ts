import type { Command } from 'commander';
import { collect, type Finish } from '../../cli/shared/flags.ts';

export function addAccept(program: Command, finish: Finish): void {
  program
    .command('accept')
    .description(
      'Accept a held claim: one that is green only with changed tests or configuration. The run then continues, and ends as done or merges the work.',
    )
    .argument('[run]', 'a run id or its last characters (default: the newest held run of this directory)')
    .option('--task <id>', 'the held task or story, if there are several; repeatable', collect)
    .option('--path <glob>', 'accept only if every change is in these paths; repeatable', collect)
    .option('--dry-run', 'only show what is held')
    .option('--json', 'print one JSON object')
    .option('-q, --quiet', 'print only the result')
    .action(async (run, options) => finish(await (await import('./accept.ts')).acceptCommand(run ?? null, options)));
}
