import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import { makeFolder, writeAtomic } from '../../kit/files/write.ts';
import { OperatorError } from '../../kit/pure/operator-error.ts';
import { settingsSchemaText } from '../../settings/settings-schema.ts';
import { makeViewFolder } from '../../store/user-folders.ts';

/** Readable by everyone: settings are meant to be committed. */
const READABLE = 0o644;

/** Writes checked settings to `.ralph/`, and beside them the JSON Schema for editors. */
export async function writeSettings(cwd: string, text: string): Promise<void> {
  await settingsExist(cwd);
  const folder = join(cwd, '.ralph');
  try {
    // makeViewFolder does not say why it failed; this call does.
    await makeFolder(folder, 0o755);
    await makeViewFolder(folder);
    await writeAtomic(join(cwd, SETTINGS_SCHEMA), settingsSchemaText(), READABLE);
    await writeAtomic(join(cwd, SETTINGS), text, READABLE);
  } catch (error) {
    throw notWritten(error);
  }
}

function notWritten(error: unknown): unknown {
  if (!(error instanceof Error) || !('code' in error)) return error;
  // The rest of the message names a temporary file.
  const [reason = ''] = error.message.split(',');
  return new OperatorError('settings-not-written', `cannot write ${SETTINGS}: ${reason}`, {
    hint: 'Check the permissions of this directory and the free disk space.',
    exitCode: 2,
    cause: error,
  });
}

/** The path of the settings, as messages print it. */
export const SETTINGS = '.ralph/settings.json';
const SETTINGS_SCHEMA = '.ralph/settings.schema.json';

/** Whether there are settings to replace. Throws if a path is a link, or not the file or folder it should be. */
export async function settingsExist(cwd: string): Promise<boolean> {
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

/** A command, and the file, flag or PATH that it comes from. */
export interface Proposal {
  readonly command: string;
  readonly from: string;
}
