import { hostname } from 'node:os';
import { basename } from 'node:path';
import { oneLine } from '../../kit/pure/one-line.ts';

/** Whoever RALPH_WORKER says, else this folder of this host. */
export function workerName({ env, top }: { readonly env: Readonly<Record<string, string>>; readonly top: string }): string {
  return oneLine(env['RALPH_WORKER'] ?? '') || `${hostname()}:${basename(top)}`;
}
