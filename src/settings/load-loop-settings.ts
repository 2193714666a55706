import { deepMerge } from '../kit/pure/deep-merge.ts';
import { OperatorError } from '../kit/pure/operator-error.ts';
import { SettingsFile } from './schema/settings-file.ts';
import { type LoadedSettings, readSettings } from './load-settings.ts';
import { RALPH_YAML, readRalphYaml } from './read-ralph-yaml.ts';

/** What one file says. */
export interface NamedSettings {
  readonly name: string;
  readonly settings: SettingsFile;
}

/** The files of a loop, merged: `ralph.yaml`, over it the settings files of the workspace, over them the file of `--config`. */
export async function loadLoopSettings(cwd: string, config: string | null): Promise<LoadedSettings> {
  const files = await readLoopSettings(cwd, config);
  const merged = files.reduce<unknown>((below, { settings }) => deepMerge(below, settings), {});
  return { settings: SettingsFile.parse(merged), sources: files.map(({ name }) => name) };
}

/** Each of them by itself, in the order in which they lie over each other. Only the one that was named must be there. */
export async function readLoopSettings(cwd: string, config: string | null): Promise<readonly NamedSettings[]> {
  const below = await named(cwd, RALPH_YAML);
  const files = await readSettings(cwd);
  if (config === null) return [...below, ...files];
  const over = await named(cwd, config);
  if (over.length > 0) return [...below, ...files, ...over];
  throw new OperatorError('usage', `configuration file not found: ${config}`, {
    hint: 'Check the path; a relative one begins in the directory you are in.',
    exitCode: 2,
  });
}

async function named(cwd: string, name: string): Promise<readonly NamedSettings[]> {
  const settings = await readRalphYaml(cwd, name);
  return settings === null ? [] : [{ name, settings }];
}
