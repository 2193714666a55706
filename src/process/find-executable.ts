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

export interface ShellCommand {
  readonly file: string;
  readonly args: readonly string[];
}

/** Both streams into one pipe, so that a message keeps its place between the lines around it; then the line as it was written. */
const mergedThenRun = 'exec 2>&1; line=$1; shift; eval "$line"';

/** How a line a person wrote is given to the system's shell, its two streams merged or apart. The Windows way was never run, and does not merge. */
export function shellCommand(line: string, streams: 'merged' | 'apart' = 'merged'): ShellCommand {
  if (process.platform === 'win32') return { file: 'cmd', args: ['/d', '/s', '/c', line] };
  return { file: '/bin/sh', args: streams === 'merged' ? ['-c', mergedThenRun, 'sh', line] : ['-c', line] };
}
