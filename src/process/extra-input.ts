import type { ChildProcess, StdioPipe } from 'node:child_process';
import type { Socket } from 'node:net';

interface ExtraInput {
  readonly extraInput?: Uint8Array;
}

/** The usual three streams, the fourth for extra input, the fifth for the report about its namespace. */
export function stdioFor({ extraInput, tells = false }: ExtraInput & { readonly tells?: boolean }): (StdioPipe | 'ignore')[] {
  const usual: StdioPipe[] = ['pipe', 'pipe', 'pipe'];
  if (tells) return [...usual, extraInput === undefined ? 'ignore' : 'pipe', 'pipe'];
  return extraInput === undefined ? usual : [...usual, 'pipe'];
}

/** Writes the extra input of a new process to its descriptor 3. */
export function writeExtraInput(child: ChildProcess, { extraInput }: ExtraInput): void {
  const pipe = child.stdio[3] as Socket | null | undefined;
  if (extraInput === undefined || pipe == null) return;
  // Without destroy the pipe would stay open as long as the process.
  pipe.on('error', () => {}).end(extraInput, () => pipe.destroy());
}
