import { lstatSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { runtimeFolder } from '../store/user-folders.ts';

export interface DoorRequest {
  readonly method: 'GET' | 'POST';
  /** With its query, such as `/v1/bus?tail=20`. */
  readonly path: string;
  /** Sent as JSON. */
  readonly body?: unknown;
  readonly timeoutMs?: number;
}

export type DoorAnswer =
  | { readonly kind: 'answered'; readonly status: number; readonly body: unknown }
  /** No loop listens on that socket; nothing was sent. */
  | { readonly kind: 'nobody' }
  /** A loop may be there, but the caller's sandbox does not allow it to open sockets. */
  | { readonly kind: 'forbidden' }
  /** The request was sent and may have been carried out, but no readable answer came. */
  | { readonly kind: 'broken-off'; readonly why: string };

const TIMEOUT_MS = 30_000;

/** Asks a loop over its unix socket, unless others could have put that socket there. Never throws. */
export async function askDoor(socketPath: string, { method, path, body, timeoutMs = TIMEOUT_MS }: DoorRequest): Promise<DoorAnswer> {
  if (!doorFolderIsOurs(socketPath) || isMissing(socketPath)) return { kind: 'nobody' };
  const { request } = await import('node:http');
  return await new Promise((resolve) => {
    let isConnected = false;
    const json = body === undefined ? '' : JSON.stringify(body);
    const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(json) };
    const client = request({ socketPath, method, path, headers, agent: false, signal: AbortSignal.timeout(timeoutMs) }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () => resolve(answerOf(response.statusCode ?? 0, Buffer.concat(chunks).toString())));
      response.on('error', brokenOff);
    });
    function brokenOff({ message, code }: NodeJS.ErrnoException): void {
      if (isConnected) resolve({ kind: 'broken-off', why: message });
      else resolve({ kind: code === 'EPERM' || code === 'EACCES' ? 'forbidden' : 'nobody' });
    }
    client.on('socket', (socket) => {
      socket.once('connect', () => {
        isConnected = true;
      });
      // A connection that is cut after the answer emits an error when nobody else listens any more.
      socket.on('error', () => undefined);
    });
    client.on('error', brokenOff);
    client.end(json);
  });
}

function answerOf(status: number, text: string): DoorAnswer {
  if (status === 204) return { kind: 'answered', status, body: null };
  try {
    return { kind: 'answered', status, body: JSON.parse(text) };
  } catch {
    return { kind: 'broken-off', why: `this is not an answer of a loop (status ${status})` };
  }
}

/** The path of a run's socket. It is short, because a socket path may have only about a hundred bytes, and it depends only on the run's id. */
export function doorPath(runId: string, env: Readonly<Record<string, string>>): string {
  return join(runtimeFolder(env), 'ralph-doors', `${runId}.sock`);
}

/** Most runs are over, so this cheap check comes before loading the HTTP client. */
function isMissing(socketPath: string): boolean {
  try {
    return lstatSync(socketPath, { throwIfNoEntry: false }) === undefined;
  } catch {
    return false;
  }
}

/**
 * Whether nobody else could have put that socket there: its folder is ours alone, and others cannot replace that folder in the one above it. In a folder such
 * as /tmp anybody may have made it first.
 */
export function doorFolderIsOurs(socketPath: string): boolean {
  const uid = process.getuid?.();
  if (uid === undefined) return true;
  try {
    const folder = lstatSync(dirname(socketPath));
    const above = lstatSync(dirname(dirname(socketPath)));
    return isPrivate(folder.mode) && folder.isDirectory() && folder.uid === uid && isFixed(above.mode) && above.isDirectory() && [uid, 0].includes(above.uid);
  } catch {
    return false;
  }
}

const isPrivate = (mode: number) => (mode & 0o077) === 0;

/** With the sticky bit everybody may write, but nobody may move somebody else's files. */
const isFixed = (mode: number) => (mode & 0o002) === 0 || (mode & 0o1000) !== 0;
