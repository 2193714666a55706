import { resolve } from 'node:path';
import { loopOfYaml, RalphYaml } from './schema/loop-settings.ts';
import type { SettingsFile } from './schema/settings-file.ts';
import { checkAgainst } from './check-settings.ts';
import { parseYaml } from './parse-yaml.ts';
import { invalid, settingsText, unreadable } from './settings-text.ts';

/** The file of seed 004, at the top of the workspace. */
export const RALPH_YAML = 'ralph.yaml';

/** Settings are a page. The parser compares every key with every other: a megabyte of them takes it half a minute. */
const LONGEST = 100_000;

/** What a file with a `ralph_loop` section says, YAML or JSON, as a settings file says it. Null: there is no such file. */
export async function readRalphYaml(cwd: string, name: string): Promise<SettingsFile | null> {
  const text = await settingsText(resolve(cwd, name), name, 'Remove it, or begin it with the line: ralph_loop:');
  if (text === null) return null;
  if (text.length > LONGEST) throw unreadable(name, `it has more than ${LONGEST} characters`, 'Name a file of settings.');
  const read = await parseYaml(text);
  if (read.kind === 'unreadable') throw unreadable(name, read.reason, 'It must be a YAML or JSON file with a ralph_loop section.');
  const { value, lineOf } = read;
  // Nothing but comments.
  if (value === null) return {};
  return { loop: loopOfYaml(checkAgainst(RalphYaml, value, (problem, { path }) => invalid(name, `line ${lineOf(path)}: ${problem}`))) };
}
