import { join } from 'node:path';
import { readText } from '../kit/files/read-text.ts';
import { deepMerge, duplicateKey } from '../kit/pure/json-objects.ts';
import { OperatorError } from '../kit/pure/operator-error.ts';
import { checkSettings } from './check-settings.ts';
import { SettingsFile } from './schema/settings-file.ts';

/** The merged settings files of a workspace, and which of them exist. */
export interface LoadedSettings {
  readonly settings: SettingsFile;
  readonly sources: readonly string[];
}

export const SETTINGS_FILES = ['.ralph/settings.json', '.ralph/settings.local.json'] as const;

export interface ReadSettings {
  readonly name: (typeof SETTINGS_FILES)[number];
  readonly settings: SettingsFile;
}

/** The local file overrides the base: scalars and arrays are replaced, objects are merged. */
export async function loadSettings(cwd: string): Promise<LoadedSettings> {
  const files = await readSettings(cwd);
  const merged = files.reduce<unknown>((below, { settings }) => deepMerge(below, settings), {});
  return { settings: SettingsFile.parse(merged), sources: files.map(({ name }) => name) };
}

/** Each file by itself; later ones override earlier ones. A missing file is no error; an unreadable one is. */
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

/** The position of the first comment. A slash outside of a text is always a comment, except in an unquoted URL. */
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

/** The text of a settings file without its byte order mark; null if it is missing. Refuses a pipe, because it might never get a writer. */
export async function settingsText(path: string, name: string, whenEmpty: string): Promise<string | null> {
  const read = await readText(path, 'refuse pipes');
  if (read.kind === 'no-text') {
    if (read.why === 'missing') return null;
    if (read.why !== 'empty')
      throw unreadable(name, read.why === 'refused' ? `${read.reason}: it cannot be read` : read.reason, 'It must be a readable file of text.');
  }
  const text = read.kind === 'text' ? read.text.replace(/^\uFEFF/, '') : '';
  if (text.trim() === '') throw unreadable(name, 'it is empty', whenEmpty);
  return text;
}

export function unreadable(name: string, reason: string, hint: string, cause?: unknown): OperatorError {
  return new OperatorError('settings-unreadable', `failed to load settings: ${name}: ${reason}`, { hint, exitCode: 2, cause });
}

export function invalid(name: string, problem: string, hint = 'ralph config schema describes every setting.'): OperatorError {
  return new OperatorError('settings-invalid', `failed to load settings: ${name}: ${problem}`, { hint, exitCode: 2 });
}

/** The value at a path of keys; undefined if the path does not exist. */
export function valueAt(value: unknown, path: readonly string[]): unknown {
  let inside = value;
  for (const key of path) {
    if (typeof inside !== 'object' || inside === null || !Object.hasOwn(inside, key)) return undefined;
    inside = Reflect.get(inside, key);
  }
  return inside;
}
