import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import { OperatorError } from '../../kit/pure/operator-error.ts';

/** Where settings lie, as everybody is told. */
export const SETTINGS = '.ralph/settings.json';
export const SETTINGS_SCHEMA = '.ralph/settings.schema.json';

/** Whether there are settings that new ones would replace. Refuses a place where they would be written through a link or onto something else. */
export async function settingsAreThere(cwd: string): Promise<boolean> {
  await look(cwd, '.ralph', 'folder');
  await look(cwd, SETTINGS_SCHEMA, 'file');
  return await look(cwd, SETTINGS, 'file');
}

async function look(cwd: string, name: string, wanted: 'file' | 'folder'): Promise<boolean> {
  const found = await lstat(join(cwd, name)).catch(() => null);
  if (found === null || (wanted === 'file' ? found.isFile() : found.isDirectory())) return found !== null;
  const what = found.isSymbolicLink() ? 'is a symbolic link' : `is not a ${wanted}`;
  throw new OperatorError('settings-not-written', `cannot write settings: ${name} ${what}`, { hint: 'Move it away and try again.', exitCode: 2 });
}
