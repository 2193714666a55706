import { request } from 'node:http';
import { join } from 'node:path';
import { runtimeFolder } from '../store/user-folders.ts';
import { doorFolderIsOurs } from './door.ts';

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
export function askDoor(socketPath: string, { method, path, body, timeoutMs = TIMEOUT_MS }: DoorQuestion): Promise<DoorAnswer> {
  if (!doorFolderIsOurs(socketPath)) return Promise.resolve({ kind: 'nobody' });
  return new Promise((resolve) => {
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
