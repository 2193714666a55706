import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { deepMerge } from '../../kit/pure/deep-merge.ts';
import { duplicateKey } from '../../kit/pure/duplicate-key.ts';
import { OperatorError } from '../../model/operator-error.ts';
import { SettingsFile } from '../../model/settings-file.ts';
import { checkSettings } from './check-settings.ts';

/** The settings files of a workspace, merged, and which of them were there. */
export interface LoadedSettings {
  readonly settings: SettingsFile;
  readonly sources: readonly string[];
}

const FILES = ['.ralph/settings.json', '.ralph/settings.local.json'] as const;

/** Base, then local over it: scalars override, arrays replace, objects merge. A missing file is no error; an unreadable one is. */
export async function loadSettings(cwd: string): Promise<LoadedSettings> {
  let merged: unknown = {};
  const sources: string[] = [];
  for (const name of FILES) {
    const text = await readText(cwd, name);
    if (text === null) continue;
    merged = deepMerge(
      merged,
      checkSettings(parse(text, name), (problem) => invalid(name, problem)),
    );
    sources.push(name);
  }
  return { settings: SettingsFile.parse(merged), sources };
}

function parse(text: string, name: string): unknown {
  const json = text.replace(/^\uFEFF/, '');
  if (json.trim() === '') throw unreadable(name, 'it is empty', 'Remove it, or write {} into it.');
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
    throw unreadable(
      name,
      message.replace(/(?: in JSON)? at position (\d+).*/, (_, at) => ` in ${lineAndColumn(json, Number(at))}`),
      'It must be one JSON object, without comments.',
      cause,
    );
  }
}

function lineAndColumn(json: string, at: number): string {
  const lines = json.slice(0, at).split('\n');
  return `line ${lines.length}, column ${(lines.at(-1) ?? '').length + 1}`;
}

async function readText(cwd: string, name: string): Promise<string | null> {
  try {
    return await readFile(join(cwd, name), 'utf8');
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return null;
    throw unreadable(name, code === 'EISDIR' ? 'it is a directory' : (cause as Error).message, 'It must be a readable file.', cause);
  }
}

function unreadable(name: string, reason: string, hint: string, cause?: unknown): OperatorError {
  return new OperatorError('settings-unreadable', `failed to load settings: ${name}: ${reason}`, { hint, exitCode: 2, cause });
}

function invalid(name: string, problem: string, hint = 'The settings are described in docs/reference/settings.md.'): OperatorError {
  return new OperatorError('settings-invalid', `failed to load settings: ${name}: ${problem}`, { hint, exitCode: 2 });
}
