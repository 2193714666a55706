import { join } from 'node:path';
import { makeViewFolder } from '../../store/view-folder.ts';
import { makeFolder } from '../../kit/files/make-folder.ts';
import { writeAtomic } from '../../kit/files/write-atomic.ts';
import { OperatorError } from '../../kit/pure/operator-error.ts';
import { settingsSchemaText } from '../../settings/settings-schema.ts';
import { SETTINGS, SETTINGS_SCHEMA, settingsAreThere } from './settings-place.ts';

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
