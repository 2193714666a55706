import { join } from 'node:path';
import { deepMerge } from '../kit/pure/deep-merge.ts';
import { duplicateKey } from '../kit/pure/duplicate-key.ts';
import { SettingsFile } from './schema/settings-file.ts';
import { checkSettings } from './check-settings.ts';
import { invalid, settingsText, unreadable } from './settings-text.ts';

/** The settings files of a workspace, merged, and which of them were there. */
export interface LoadedSettings {
  readonly settings: SettingsFile;
  readonly sources: readonly string[];
}

export const SETTINGS_FILES = ['.ralph/settings.json', '.ralph/settings.local.json'] as const;

export interface ReadSettings {
  readonly name: (typeof SETTINGS_FILES)[number];
  readonly settings: SettingsFile;
}

/** Base, then local over it: scalars override, arrays replace, objects merge. */
export async function loadSettings(cwd: string): Promise<LoadedSettings> {
  const files = await readSettings(cwd);
  const merged = files.reduce<unknown>((below, { settings }) => deepMerge(below, settings), {});
  return { settings: SettingsFile.parse(merged), sources: files.map(({ name }) => name) };
}

/** Each of the files by itself, in the order in which they lie over each other. A missing file is no error; an unreadable one is. */
export async function readSettings(cwd: string): Promise<readonly ReadSettings[]> {
  const files: ReadSettings[] = [];
  for (const name of SETTINGS_FILES) {
    const json = await settingsText(join(cwd, name), name, 'Remove it, or write {} into it.');
    if (json !== null) files.push({ name, settings: checkSettings(parse(json, name), (problem) => invalid(name, problem)) });
  }
  return files;
}

function parse(json: string, name: string): unknown {
  const value = parseJson(json, name);
  const twice = duplicateKey(json);
  if (twice !== null) throw invalid(name, `${JSON.stringify(twice)} is there twice`, 'Only the last would count: keep one of them.');
  return value;
}

function parseJson(json: string, name: string): unknown {
  try {
    return JSON.parse(json);
  } catch (cause) {
    const { message } = cause as Error;
    const comment = commentAt(json);
    if (comment !== null) throw unreadable(name, `there is a comment in ${lineAndColumn(json, comment)}`, 'JSON has no comments: remove it.', cause);
    throw unreadable(
      name,
      message.replace(/(?: in JSON)? at position (\d+).*/, (_, at) => ` in ${lineAndColumn(json, Number(at))}`),
      'It must be one JSON object.',
      cause,
    );
  }
}

/** Where the first comment begins. A slash outside of a text is nothing else, but for an address without quotes. */
function commentAt(json: string): number | null {
  let isInText = false;
  for (let at = 0; at < json.length; at += 1) {
    const char = json[at];
    if (char === '"') isInText = !isInText;
    else if (isInText && char === '\\') at += 1;
    else if (!isInText && char === '/' && json[at - 1] !== ':' && '/*'.includes(json[at + 1] ?? ' ')) return at;
  }
  return null;
}

function lineAndColumn(json: string, at: number): string {
  const lines = json.slice(0, at).split('\n');
  return `line ${lines.length}, column ${(lines.at(-1) ?? '').length + 1}`;
}
