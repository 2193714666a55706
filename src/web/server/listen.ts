import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { getRequestListener } from '@hono/node-server';
import { OperatorError } from '../../kit/pure/operator-error.ts';

/** A server that listens until it is disposed. */
export interface Listening extends AsyncDisposable {
  readonly port: number;
}

const USUAL_PORT = 4747;

type Fetch = Parameters<typeof getRequestListener>[0];

/** At that port; null: at the usual one, or at any if that is taken. */
export async function listen(fetch: Fetch, host: string, port: number | null): Promise<Listening> {
  const answer = getRequestListener(fetch, { overrideGlobalObjects: false });
  const server = createServer((request, response) => void answer(request, response));
  const tries = port === null ? [USUAL_PORT, 0] : [port];
  let problem = '';
  for (const each of tries) {
    problem = await tryPort(server, host, each);
    if (problem === '') return opened(server);
  }
  throw new OperatorError('cannot-listen', `cannot listen at ${host}:${port ?? USUAL_PORT}: ${problem}`, {
    hint: 'Choose another --port or --host.',
    exitCode: 4,
  });
}

async function tryPort(server: Server, host: string, port: number): Promise<string> {
  try {
    server.listen(port, host);
    await once(server, 'listening');
    return '';
  } catch (error) {
    return (error as Error).message;
  }
}

function opened(server: Server): Listening {
  const address = server.address();
  return {
    port: typeof address === 'object' && address !== null ? address.port : 0,
    async [Symbol.asyncDispose]() {
      const closed = once(server, 'close');
      server.close();
      // Streams would last forever.
      server.closeAllConnections();
      await closed;
    },
  };
}
