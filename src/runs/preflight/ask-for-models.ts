import { request as plainly } from 'node:http';
import { request as byTls } from 'node:https';
import type { Socket } from 'node:net';
import { connect as startTls } from 'node:tls';
import type { ModelKey } from '../../agents/agent-preflight.ts';
import { parseTarget } from '../../sandbox/proxy/match-host.ts';
import { reachThrough } from '../../sandbox/proxy/reach.ts';

/** The status with which a provider answers a request for its models, with the key. Follows no redirect. Null without an answer in time. */
export async function askForModels({ list, headers }: ModelKey, proxy: URL | null, withinMs: number): Promise<number | null> {
  const url = new URL(list);
  const isTls = url.protocol === 'https:';
  // A proxy would read a request without TLS, and the key in it.
  if (proxy !== null && !isTls) return null;
  const control = new AbortController();
  const timer = setTimeout(() => control.abort(), withinMs);
  try {
    const socket = proxy === null ? null : await within(control.signal, reachThrough(proxy, targetOf(url)));
    const createConnection = socket && { createConnection: () => startTls({ socket, servername: url.hostname }) };
    return await new Promise<number | null>((resolve) => {
      const request = (isTls ? byTls : plainly)(url, {
        headers: { ...headers, accept: 'application/json' },
        agent: false,
        signal: control.signal,
        ...createConnection,
      });
      request.once('response', (answer) => {
        resolve(answer.statusCode ?? null);
        answer.on('error', () => undefined).destroy();
      });
      request.on('error', () => resolve(null));
      request.end();
    });
  } catch {
    return null;
  } finally {
    clearTimeout(timer);
  }
}

function targetOf({ hostname, port }: URL) {
  const target = parseTarget(`${hostname}:${port || 443}`);
  if (target === null) throw new Error('no host');
  return target;
}

/** The socket that comes too late is closed. */
async function within(signal: AbortSignal, coming: Promise<Socket>): Promise<Socket> {
  const socket = await new Promise<Socket>((resolve, reject) => {
    signal.addEventListener('abort', () => reject(new Error('too late')), { once: true });
    coming.then((came) => (signal.aborted ? came.destroy() : resolve(came)), reject);
  });
  signal.addEventListener('abort', () => socket.destroy(), { once: true });
  return socket;
}
