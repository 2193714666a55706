import type { ChildProcess, StdioPipe } from 'node:child_process';
import type { Socket } from 'node:net';

interface Handing {
  readonly handed?: Uint8Array;
}

/** The usual three streams, the fourth for extra input, the fifth for the report about its namespace. */
export function stdioFor({ handed, tells = false }: Handing & { readonly tells?: boolean }): (StdioPipe | 'ignore')[] {
  const usual: StdioPipe[] = ['pipe', 'pipe', 'pipe'];
  if (tells) return [...usual, handed === undefined ? 'ignore' : 'pipe', 'pipe'];
  return handed === undefined ? usual : [...usual, 'pipe'];
}

/** Writes the extra input of a new process to its descriptor 3. */
export function handOver(child: ChildProcess, { handed }: Handing): void {
  const pipe = child.stdio[3] as Socket | null | undefined;
  if (handed === undefined || pipe == null) return;
  // Without destroy the pipe would stay open as long as the process.
  pipe.on('error', () => {}).end(handed, () => pipe.destroy());
}
