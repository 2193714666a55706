import { chmodSync, mkdirSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { Socket } from 'node:net';
import { dirname } from 'node:path';
import type { Tell, Watcher } from '../engine/contracts.ts';
import type { RunState } from '../journal/state/state.ts';
import { doorFolderIsOurs } from './door-client.ts';
import { type AnswerHooks, type DoorRooms, give, type House } from './door-rooms.ts';
import { answerTo } from './door-routes.ts';

/** Who answers the agent's hooks, from the state of the loop. */
export type OpenHooks = (tell: Tell, state: () => RunState) => AnswerHooks;

/**
 * The agent's door: one unix socket on which the loop answers from the state in its memory, also to a plain `curl --unix-socket`.
 * It is opened only for its owner, outside the workspace. A run goes on without it where no socket can be had.
 */
export function openTheDoor(socketPath: string, nowMs: () => number, rooms: DoorRooms | null = null, openHooks: OpenHooks | null = null): Watcher {
  return (tell, state) => {
    const closing = new AbortController();
    const hooks = openHooks?.(tell, state) ?? null;
    const server = openServer({ tell, state, nowMs, rooms, hooks, closing: closing.signal });
    const canOpen = makeRoom(socketPath);
    if (canOpen) {
      server.once('listening', () => closeToOthers(socketPath));
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

/** For a request to arrive whole; an answer may take longer. */
const PATIENCE_MS = { headersTimeout: 5_000, requestTimeout: 15_000, keepAliveTimeout: 5_000, connectionsCheckingInterval: 2_000 };

/** More than any agent has; what comes on top is turned away. */
const MOST_CONNECTIONS = 256;

function openServer(house: House): Server {
  const server = createServer(PATIENCE_MS, (request, response) => {
    void answerTo(request, house).then((answer) => give(response, answer));
  });
  server.maxConnections = MOST_CONNECTIONS;
  server.on('error', () => undefined);
  server.on('clientError', turnAway);
  return server;
}

/** What is no HTTP, or comes too slowly, is answered in plain HTTP as well. */
function turnAway(error: NodeJS.ErrnoException, socket: Socket): void {
  if (!socket.writable || error.code === 'ECONNRESET') {
    socket.destroy();
    return;
  }
  const status = error.code === 'ERR_HTTP_REQUEST_TIMEOUT' ? '408 Request Timeout' : '400 Bad Request';
  const body = `${JSON.stringify({ error: status.slice(4).toLowerCase() })}\n`;
  socket.end(`HTTP/1.1 ${status}\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\nconnection: close\r\n\r\n${body}`);
}

/** Its folder keeps them out as well. A mask would be the whole process's, and a worker thread may not set it. */
function closeToOthers(socketPath: string): void {
  try {
    chmodSync(socketPath, 0o600);
  } catch {
    // Somebody has removed it.
  }
}

/** What a dead loop of this run left there is in the way; nobody else has this name. False where nothing can be made, or others could reach it. */
function makeRoom(socketPath: string): boolean {
  try {
    mkdirSync(dirname(socketPath), { recursive: true, mode: 0o700 });
    if (!doorFolderIsOurs(socketPath)) return false;
    rmSync(socketPath, { force: true });
    return true;
  } catch {
    return false;
  }
}
