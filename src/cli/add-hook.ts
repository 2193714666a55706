import { createRequire } from 'node:module';
import type { Command } from 'commander';
import { packagePath } from '../kit/files/package-root.ts';

/** `ralph hook`, for its help: the bin itself answers a hook before anything else is loaded. */
export function addHook(program: Command): void {
  program
    .command('hook')
    .description('Answer a hook of Claude Code: its JSON on standard input, the answer on standard output. With RALPH_SOCKET the loop behind it decides.')
    .argument('<name>', 'stop, context, guard or session-start')
    .action(() => {
      createRequire(import.meta.url)(packagePath('dist', 'cli', 'hook.cjs'));
    });
}
