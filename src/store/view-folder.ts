import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { makeFolder } from '../kit/files/make-folder.ts';
import type { Place } from '../engine/ports/ports.ts';

/** All but the settings, itself included. */
const HIDE_ALL_BUT_SETTINGS = '*\n!settings.json\n';

/**
 * Makes `.ralph/` in a workspace that is there, and hides our files in it from git, also where an agent makes the repository later. A
 * .gitignore that is there already is the user's and stays. False: a link or a file lies in its place, and nothing is written through it.
 */
export async function makeViewFolder(viewFolder: string): Promise<boolean> {
  try {
    await makeFolder(viewFolder, 0o755);
  } catch {
    return false;
  }
  await writeFile(join(viewFolder, '.gitignore'), HIDE_ALL_BUT_SETTINGS, { flag: 'wx' }).catch(() => undefined);
  return true;
}

/** Where gates keep their logs: in the view, for agents to read, or in the run's own folder where the view is not ours any more. */
export async function logFolderOf({ viewFolder, runFolder }: Place): Promise<string> {
  return (await makeViewFolder(viewFolder)) ? viewFolder : runFolder;
}
