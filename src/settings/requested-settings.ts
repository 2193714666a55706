import { basename, resolve } from 'node:path';
import { OperatorError } from '../kit/pure/operator-error.ts';
import type { WantedWorktree } from '../workspace/worktrees/bring-along.ts';
import { withAgentsOnPath } from './agents-on-path.ts';
import { loadSettings } from './load-settings.ts';
import { ms } from './run-limits.ts';
import { type RunRequest, runSettings } from './run-settings.ts';
import type { RunSettings } from './schema/run-settings.ts';
import { type CompleteSettings, DEFAULTS, OPTIONAL_GROUP_DEFAULTS } from './schema/settings-defaults.ts';
import type { SettingsFile } from './schema/settings-file.ts';

export interface RequestedRun extends RunRequest {
  readonly cwd: string;
  /** Refuse to start a run without a gate, whatever the settings say. */
  readonly requireProof?: boolean;
}

export interface RequestedSettings {
  readonly settings: RunSettings;
  /** The settings files that exist. */
  readonly sources: readonly string[];
  /** The worktree to create for the run; null if it works where it is started. */
  readonly worktree: WantedWorktree | null;
  readonly landing: CompleteSettings['landing'];
}

/** The settings of a run in this directory. Throws if it could not be started. */
export async function requestedSettings(wanted: RequestedRun): Promise<RequestedSettings> {
  const { settings: file, sources } = await loadSettings(wanted.cwd);
  const settings = runSettings(await withAgentsOnPath(file, wanted.over, wanted.cwd), wanted, wanted.cwd);
  const landing = wanted.over.landing ?? file.landing ?? DEFAULTS.landing;
  const worktree = landing === 'each' ? null : worktreeSettings(file, wanted.cwd, titleOf(wanted.prompt));
  if (settings.gates.length > 0 || !(wanted.requireProof || wanted.over.requireProof || file.requireProof)) return { settings, sources, worktree, landing };
  throw new OperatorError('proof-required', 'this run has no check, so nothing could prove that it is done', {
    hint: 'Add one with --check "npm test" or in .ralph/settings.json, or leave --require-proof out.',
    exitCode: 2,
  });
}

const titleOf = (prompt: RunSettings['prompt']) => (prompt.from === 'file' ? basename(prompt.path) : prompt.text);

/** The worktree settings, completed with defaults. Paths are relative to the directory of the settings. */
export function worktreeSettings({ worktree = {} }: Pick<SettingsFile, 'worktree'>, cwd: string, title: string): WantedWorktree {
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
