import { resolve } from 'node:path';
import { deepMerge } from '../kit/pure/json-objects.ts';
import { OperatorError } from '../kit/pure/operator-error.ts';
import { checkAgainst } from './check-settings.ts';
import { invalid, type LoadedSettings, readSettings, settingsText, unreadable } from './load-settings.ts';
import { parseYaml } from './parse-yaml.ts';
import { loopOfYaml, RalphYaml } from './schema/loop-settings.ts';
import { SettingsFile } from './schema/settings-file.ts';

/** The settings of one file. */
export interface NamedSettings {
  readonly name: string;
  readonly settings: SettingsFile;
}

/** The merged settings of a loop: `ralph.yaml`, overridden by the settings files of the workspace, overridden by the file of `--config`. */
export async function loadLoopSettings(cwd: string, config: string | null): Promise<LoadedSettings> {
  const files = await readLoopSettings(cwd, config);
  const merged = files.reduce<unknown>((below, { settings }) => deepMerge(below, settings), {});
  return { settings: SettingsFile.parse(merged), sources: files.map(({ name }) => name) };
}

/** Each file by itself; later ones override earlier ones. Only the file of `--config` must exist. */
export async function readLoopSettings(cwd: string, config: string | null): Promise<readonly NamedSettings[]> {
  const below = await named(cwd, RALPH_YAML);
  const files = await readSettings(cwd);
  if (config === null) return [...below, ...files];
  const over = await named(cwd, config);
  if (over.length > 0) return [...below, ...files, ...over];
  throw new OperatorError('usage', `configuration file not found: ${config}`, {
    hint: 'Check the path; a relative path starts at the current directory.',
    exitCode: 2,
  });
}

async function named(cwd: string, name: string): Promise<readonly NamedSettings[]> {
  const settings = await readRalphYaml(cwd, name);
  return settings === null ? [] : [{ name, settings }];
}

/** The file of seed 004, at the top of the workspace. */
export const RALPH_YAML = 'ralph.yaml';

/** Settings fit on a page. The parser compares every key with every other, so a megabyte would take it half a minute. */
const LONGEST = 100_000;

/** Reads a YAML or JSON file with a `ralph_loop` section as settings. Null if there is no such file. */
export async function readRalphYaml(cwd: string, name: string): Promise<SettingsFile | null> {
  const text = await settingsText(resolve(cwd, name), name, 'Remove it, or begin it with the line: ralph_loop:');
  if (text === null) return null;
  if (text.length > LONGEST) throw unreadable(name, `it has more than ${LONGEST} characters`, 'Name a file of settings.');
  const read = await parseYaml(text);
  if (read.kind === 'unreadable') throw unreadable(name, read.reason, 'It must be a YAML or JSON file with a ralph_loop section.');
  const { value, lineOf } = read;
  // The file has only comments.
  if (value === null) return {};
  const yaml = checkAgainst(RalphYaml, value, (problem, { path }) => invalid(name, `line ${lineOf(path)}: ${problem}`));
  return { loop: loopOfYaml(yaml), ...(yaml.notify && { notify: yaml.notify }) };
}
