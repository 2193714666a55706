import { chmodSync, mkdirSync, rmSync } from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import { dirname } from 'node:path';
import type { RunState } from '../../core/state.ts';
import { runView } from '../../core/views/run-view.ts';
import type { Watcher } from '../watcher.ts';
import { doorFolderIsOurs } from './door-folder.ts';

/**
 * The agent's door: one unix socket on which the loop answers from the state in its memory, also to a plain `curl --unix-socket`.
 * It is opened only for its owner, outside the workspace. A run goes on without it where no socket can be had.
 */
export function openTheDoor(socketPath: string, nowMs: () => number): Watcher {
  return (_tell, state) => {
    const server = createServer((request, response) => {
      request.resume();
      if (request.method !== 'GET') return answer(response, 405, { error: 'only GET is answered here' });
      if (request.url !== '/v1/status') return answer(response, 404, { error: 'ask for /v1/status' });
      return answer(response, 200, viewOf(state(), nowMs()));
    });
    server.on('error', () => undefined);
    const canOpen = makeRoom(socketPath);
    if (canOpen) {
      server.once('listening', () => closeToOthers(socketPath));
      server.listen(socketPath);
      server.unref();
    }
    return {
      async [Symbol.asyncDispose]() {
        server.closeAllConnections();
        await new Promise((resolve) => server.close(resolve));
        if (canOpen) rmSync(socketPath, { force: true });
      },
    };
  };
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

function viewOf(state: RunState, nowMs: number): unknown {
  return state.run ? runView(state, nowMs) : { status: 'starting' };
}

function answer(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(`${JSON.stringify(body)}\n`);
}
