import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

export interface FoundProcess {
  readonly pid: number;
  readonly command: string;
}

/**
 * All that lives and has one of the names (a folder, a run) in its command line, its environment or its working directory. A zombie has ended. What
 * bubblewrap is told of mounts is no trace: a wall hides the sockets of all others, so that it names their folders, and whoever cleaned those up killed it.
 */
export function processesOf(...names: readonly string[]): readonly FoundProcess[] {
  // What is found may be killed: a short name could be anybody's.
  for (const name of names) if (name.length < 8) throw new Error(`"${name}" names no process of ours for sure`);
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .flatMap((pid) => {
      const command = look(() => readFileSync(`/proc/${pid}/cmdline`, 'utf8'));
      const traces = [withoutMounts(command), look(() => readFileSync(`/proc/${pid}/environ`, 'utf8')), look(() => readlinkSync(`/proc/${pid}/cwd`))];
      return traces.some((trace) => names.some((name) => trace.includes(name))) && lives(pid)
        ? [{ pid: Number(pid), command: command.replaceAll('\0', ' ').trim() }]
        : [];
    });
}

function withoutMounts(command: string): string {
  return /^[^\0]*\bbwrap\0/.test(command) ? command.slice(command.indexOf('\0--\0')) : command;
}

function lives(pid: string): boolean {
  const state =
    look(() => readFileSync(`/proc/${pid}/stat`, 'utf8'))
      .split(') ')
      .pop()?.[0] ?? '';
  return state !== '' && state !== 'Z' && state !== 'X';
}

/** A process may be gone between two looks. */
function look(read: () => string): string {
  try {
    return read();
  } catch {
    return '';
  }
}
