import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { deepMerge } from '../../kit/pure/deep-merge.ts';
import { OperatorError } from '../../model/operator-error.ts';
import { SettingsFile } from '../../model/settings-file.ts';
import { settingsProblem } from './settings-problem.ts';

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
    const content = await readSettings(cwd, name);
    if (content === null) continue;
    const checked = SettingsFile.safeParse(content);
    if (!checked.success) throw settingsProblem(checked.error, content, name);
    merged = deepMerge(merged, checked.data);
    sources.push(name);
  }
  return { settings: SettingsFile.parse(merged), sources };
}

async function readSettings(cwd: string, name: string): Promise<unknown> {
  const text = await readText(cwd, name);
  if (text === null) return null;
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch (cause) {
    throw unreadable(name, (cause as Error).message, 'It must be one JSON object, without comments.', cause);
  }
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

function unreadable(name: string, reason: string, hint: string, cause: unknown): OperatorError {
  return new OperatorError('settings-unreadable', `failed to load settings: ${name}: ${reason}`, { hint, exitCode: 2, cause });
}
