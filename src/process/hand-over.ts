import type { ChildProcess, StdioPipe } from 'node:child_process';
import type { Socket } from 'node:net';

interface Handing {
  readonly handed?: Uint8Array;
}

/** The usual three; the fourth for what is handed over, the fifth for what it tells of its namespace. */
export function stdioFor({ handed, tells = false }: Handing & { readonly tells?: boolean }): (StdioPipe | 'ignore')[] {
  const usual: StdioPipe[] = ['pipe', 'pipe', 'pipe'];
  if (tells) return [...usual, handed === undefined ? 'ignore' : 'pipe', 'pipe'];
  return handed === undefined ? usual : [...usual, 'pipe'];
}

/** Writes what a process that was just started reads at descriptor 3. */
export function handOver(child: ChildProcess, { handed }: Handing): void {
  const pipe = child.stdio[3] as Socket | null | undefined;
  if (handed === undefined || pipe == null) return;
  // Else it would stay open as long as the process.
  pipe.on('error', () => {}).end(handed, () => pipe.destroy());
}
