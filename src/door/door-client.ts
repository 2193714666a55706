import { lstatSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { runtimeFolder } from '../store/user-folders.ts';

export interface DoorQuestion {
  readonly method: 'GET' | 'POST';
  /** With its query, such as `/v1/bus?tail=20`. */
  readonly path: string;
  /** Sent as JSON. */
  readonly body?: unknown;
  readonly timeoutMs?: number;
}

export type DoorAnswer =
  | { readonly kind: 'answered'; readonly status: number; readonly body: unknown }
  /** Nothing was asked: no loop is behind that door. */
  | { readonly kind: 'nobody' }
  /** A loop may be there, but whoever asks may not open any door: a sandbox around it says no. */
  | { readonly kind: 'forbidden' }
  /** It was asked, and may have done it: no answer came that can be understood. */
  | { readonly kind: 'broken-off'; readonly why: string };

const TIMEOUT_MS = 30_000;

/** Asks a loop over its unix socket, unless others could have put that there. Never throws. */
export async function askDoor(socketPath: string, { method, path, body, timeoutMs = TIMEOUT_MS }: DoorQuestion): Promise<DoorAnswer> {
  if (!doorFolderIsOurs(socketPath) || isMissing(socketPath)) return { kind: 'nobody' };
  const { request } = await import('node:http');
  return await new Promise((resolve) => {
    let isConnected = false;
    const json = body === undefined ? '' : JSON.stringify(body);
    const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(json) };
    const asking = request({ socketPath, method, path, headers, agent: false, signal: AbortSignal.timeout(timeoutMs) }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () => resolve(answerOf(response.statusCode ?? 0, Buffer.concat(chunks).toString())));
      response.on('error', brokenOff);
    });
    function brokenOff({ message, code }: NodeJS.ErrnoException): void {
      if (isConnected) resolve({ kind: 'broken-off', why: message });
      else resolve({ kind: code === 'EPERM' || code === 'EACCES' ? 'forbidden' : 'nobody' });
    }
    asking.on('socket', (socket) => {
      socket.once('connect', () => {
        isConnected = true;
      });
      // One that is cut after the answer complains of it when nobody else listens any more.
      socket.on('error', () => undefined);
    });
    asking.on('error', brokenOff);
    asking.end(json);
  });
}

function answerOf(status: number, text: string): DoorAnswer {
  if (status === 204) return { kind: 'answered', status, body: null };
  try {
    return { kind: 'answered', status, body: JSON.parse(text) };
  } catch {
    return { kind: 'broken-off', why: `this is no answer of a loop (status ${status})` };
  }
}

/** Where a run answers. Short, since a socket's path may have about a hundred bytes, and the same for everybody who knows the run's id. */
export function doorPath(runId: string, env: Readonly<Record<string, string>>): string {
  return join(runtimeFolder(env), 'ralph-doors', `${runId}.sock`);
}

/** Most runs that are asked about are over: what speaks with the others need not be loaded for them. */
function isMissing(socketPath: string): boolean {
  try {
    return lstatSync(socketPath, { throwIfNoEntry: false }) === undefined;
  } catch {
    return false;
  }
}

/**
 * Whether nobody else could have put that socket there: its folder is ours alone, and the folder above is not one in which others may
 * exchange it. In a folder such as /tmp anybody may have made ours first.
 */
export function doorFolderIsOurs(socketPath: string): boolean {
  const us = process.getuid?.();
  if (us === undefined) return true;
  try {
    const folder = lstatSync(dirname(socketPath));
    const above = lstatSync(dirname(dirname(socketPath)));
    return isPrivate(folder.mode) && folder.isDirectory() && folder.uid === us && isFixed(above.mode) && above.isDirectory() && [us, 0].includes(above.uid);
  } catch {
    return false;
  }
}

const isPrivate = (mode: number) => (mode & 0o077) === 0;

/** With the sticky bit all may write and none may move what is another's. */
const isFixed = (mode: number) => (mode & 0o002) === 0 || (mode & 0o1000) !== 0;
