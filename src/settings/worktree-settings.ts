import { resolve } from 'node:path';
import { type CompleteSettings, DEFAULTS_ONCE_ASKED_FOR } from './schema/settings-file.ts';
import { ms } from './run-limits.ts';
import type { WantedWorktree } from './wanted-settings.ts';

/** What the settings say of worktrees, with what holds when they do not. Paths begin in the directory of the settings. */
export function worktreeSettings({ worktree = {} }: Pick<CompleteSettings, 'worktree'>, cwd: string, title: string): WantedWorktree {
  const unsaid = DEFAULTS_ONCE_ASKED_FOR.worktree;
  const { root, copy = unsaid.copy, link = unsaid.link, setup, setupTimeout = unsaid.setupTimeout } = worktree;
  return {
    title,
    root: root === undefined ? null : resolve(cwd, root),
    copy,
    link,
    setup: setup === undefined ? null : { command: setup, timeoutMs: ms(setupTimeout) },
  };
}
