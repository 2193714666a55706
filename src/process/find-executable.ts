import { constants } from 'node:fs';
import { access, realpath, stat } from 'node:fs/promises';
import { delimiter, join, resolve } from 'node:path';

interface Where {
  readonly path: string;
  readonly cwd: string;
}

/** The file that a command would run, with all links resolved; null if there is none. */
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

export interface ShellCommand {
  readonly file: string;
  readonly args: readonly string[];
}

/** Both streams go into one pipe, so that messages keep their order; then the shell runs the line unchanged. */
const mergedThenRun = 'exec 2>&1; line=$1; shift; eval "$line"';

/** How to run an operator's command line with the system's shell, with merged or separate streams. The Windows variant is untested and does not merge. */
export function shellCommand(line: string, streams: 'merged' | 'apart' = 'merged'): ShellCommand {
  if (process.platform === 'win32') return { file: 'cmd', args: ['/d', '/s', '/c', line] };
  return { file: '/bin/sh', args: streams === 'merged' ? ['-c', mergedThenRun, 'sh', line] : ['-c', line] };
}
