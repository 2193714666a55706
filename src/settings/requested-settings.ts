import { resolve } from 'node:path';
import { OperatorError } from '../kit/pure/operator-error.ts';
import type { WantedWorktree } from '../workspace/worktrees/bring-along.ts';
import { loadSettings } from './load-settings.ts';
import { ms } from './run-limits.ts';
import { type RunRequest, runSettings } from './run-settings.ts';
import type { RunSettings } from './schema/run-settings.ts';
import { type CompleteSettings, OPTIONAL_GROUP_DEFAULTS } from './schema/settings-file.ts';

export interface RequestedRun extends RunRequest {
  readonly cwd: string;
  /** Refuse to start a run without a gate. */
  readonly requireProof: boolean;
}

export interface RequestedSettings {
  readonly settings: RunSettings;
  /** The settings files that exist. */
  readonly sources: readonly string[];
  /** The worktree to create for the run; null if it works where it is started. */
  readonly worktree: WantedWorktree | null;
}

/** The settings of a run in this directory. Throws if it could not be started. */
export async function requestedSettings(wanted: RequestedRun): Promise<RequestedSettings> {
  const { settings: file, sources } = await loadSettings(wanted.cwd);
  const settings = runSettings(file, wanted, wanted.cwd);
  if (settings.gates.length > 0 || !(wanted.requireProof || file.requireProof)) return { settings, sources, worktree: null };
  throw new OperatorError('proof-required', 'this run has no guardrail, so nothing could prove that it is done', {
    hint: 'Add one with --guardrail "npm test" or in .ralph/settings.json, or leave --require-proof out.',
    exitCode: 2,
  });
}

/** The worktree settings, completed with defaults. Paths are relative to the directory of the settings. */
export function worktreeSettings({ worktree = {} }: Pick<CompleteSettings, 'worktree'>, cwd: string, title: string): WantedWorktree {
  const unsaid = OPTIONAL_GROUP_DEFAULTS.worktree;
  const { root, copy = unsaid.copy, link = unsaid.link, setup, setupTimeout = unsaid.setupTimeout } = worktree;
  return {
    title,
    root: root === undefined ? null : resolve(cwd, root),
    copy,
    link,
    setup: setup === undefined ? null : { command: setup, timeoutMs: ms(setupTimeout) },
  };
}
