import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import { makeFolder, writeAtomic } from '../../kit/files/write.ts';
import { OperatorError } from '../../kit/pure/operator-error.ts';
import { settingsSchemaText } from '../../settings/settings-schema.ts';
import { makeViewFolder } from '../../store/user-folders.ts';

/** Everybody's to read: they are meant to be committed. */
const READABLE = 0o644;

/** Puts settings that were checked into `.ralph/`, and beside them the schema an editor reads. */
export async function writeSettings(cwd: string, text: string): Promise<void> {
  await settingsAreThere(cwd);
  const folder = join(cwd, '.ralph');
  try {
    // It alone tells why the folder cannot be.
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
  // The rest names a temporary file.
  const [reason = ''] = error.message.split(',');
  return new OperatorError('settings-not-written', `cannot write ${SETTINGS}: ${reason}`, {
    hint: 'Check the permissions of this directory and the room on its disk.',
    exitCode: 2,
    cause: error,
  });
}

/** Where settings lie, as everybody is told. */
export const SETTINGS = '.ralph/settings.json';
const SETTINGS_SCHEMA = '.ralph/settings.schema.json';

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

/** A guardrail a project seems to have already, and the file that says so. */
export interface Proposal {
  readonly command: string;
  readonly from: string;
}
