import { chmodSync, mkdirSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { Socket } from 'node:net';
import { dirname } from 'node:path';
import type { SendEvent, Watcher } from '../engine/contracts.ts';
import type { RunState } from '../journal/state/state.ts';
import { doorFolderIsOurs } from './door-client.ts';
import { type AnswerHooks, type DoorContext, type SupervisorDoor, sendAnswer } from './door-context.ts';
import { answerTo } from './door-routes.ts';

/** Makes what answers the agent's hooks from the state of the loop. */
export type OpenHooks = (tell: SendEvent, state: () => RunState) => AnswerHooks;

/**
 * The agent's door: a unix socket on which the loop answers from its state in memory, also to a plain `curl --unix-socket`. It is outside the workspace and
 * only for its owner. A run goes on without it where no socket can be made.
 */
export function openDoor(socketPath: string, nowMs: () => number, rooms: SupervisorDoor | null = null, openHooks: OpenHooks | null = null): Watcher {
  return (tell, state) => {
    const closing = new AbortController();
    const hooks = openHooks?.(tell, state) ?? null;
    const server = openServer({ tell, state, nowMs, rooms, hooks, closing: closing.signal });
    const canOpen = removeDeadSocket(socketPath);
    if (canOpen) {
      server.once('listening', () => restrictToOwner(socketPath));
      server.listen(socketPath);
      server.unref();
    }
    return {
      async [Symbol.asyncDispose]() {
        closing.abort();
        server.closeAllConnections();
        await new Promise((resolve) => server.close(resolve));
        if (canOpen) rmSync(socketPath, { force: true });
      },
    };
  };
}

/** For a request to arrive as a whole; an answer may take longer. */
const TIMEOUTS_MS = { headersTimeout: 5_000, requestTimeout: 15_000, keepAliveTimeout: 5_000, connectionsCheckingInterval: 2_000 };

/** More than any agent has; further connections are refused. */
const MOST_CONNECTIONS = 256;

function openServer(house: DoorContext): Server {
  const server = createServer(TIMEOUTS_MS, (request, response) => {
    void answerTo(request, house).then((answer) => sendAnswer(response, answer));
  });
  server.maxConnections = MOST_CONNECTIONS;
  server.on('error', () => undefined);
  server.on('clientError', answerBadRequest);
  return server;
}

/** Input that is not HTTP, or comes too slowly, is answered in plain HTTP too. */
function answerBadRequest(error: NodeJS.ErrnoException, socket: Socket): void {
  if (!socket.writable || error.code === 'ECONNRESET') {
    socket.destroy();
    return;
  }
  const status = error.code === 'ERR_HTTP_REQUEST_TIMEOUT' ? '408 Request Timeout' : '400 Bad Request';
  const body = `${JSON.stringify({ error: status.slice(4).toLowerCase() })}\n`;
  socket.end(`HTTP/1.1 ${status}\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\nconnection: close\r\n\r\n${body}`);
}

/** The folder's permissions protect the socket too. A umask would apply to the whole process, and a worker thread may not set it. */
function restrictToOwner(socketPath: string): void {
  try {
    chmodSync(socketPath, 0o600);
  } catch {
    // Somebody has removed it.
  }
}

/** Removes the socket that a dead loop of this run left; nobody else uses this name. False where no socket can be made, or others could reach it. */
function removeDeadSocket(socketPath: string): boolean {
  try {
    mkdirSync(dirname(socketPath), { recursive: true, mode: 0o700 });
    if (!doorFolderIsOurs(socketPath)) return false;
    rmSync(socketPath, { force: true });
    return true;
  } catch {
    return false;
  }
}
