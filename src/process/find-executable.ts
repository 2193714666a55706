import { access, constants, realpath, stat } from 'node:fs/promises';
import { delimiter, join, resolve } from 'node:path';

interface Where {
  readonly path: string;
  readonly cwd: string;
}

/** The file a command would run, behind all links; null if there is none. */
export async function findExecutable(file: string, { path, cwd }: Where): Promise<string | null> {
  const isPath = /[\\/]/.test(file);
  const folders = isPath ? [''] : path.split(delimiter).filter((folder) => folder !== '');
  for (const folder of folders) {
    for (const ending of endings) {
      const found = await executableAt(resolve(cwd, isPath ? `${file}${ending}` : join(folder, `${file}${ending}`)));
      if (found !== null) return found;
    }
  }
  return null;
}

const endings = process.platform === 'win32' ? ['', '.exe', '.cmd', '.bat'] : [''];

async function executableAt(path: string): Promise<string | null> {
  try {
    await access(path, constants.X_OK);
    return (await stat(path)).isFile() ? await realpath(path) : null;
  } catch {
    return null;
  }
}
