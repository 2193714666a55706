import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** A network between two programs of this machine that can be cut. */
export interface TcpProxy extends AsyncDisposable {
  readonly port: number;
  /** Cuts every connection; new ones work. */
  cut(): void;
  /** Keeps every connection, old or new, and passes on nothing until it is called again. */
  freeze(isFrozen: boolean): void;
}

export async function openTcpProxy(target: number): Promise<TcpProxy> {
  const sockets = new Set<Socket>();
  let isFrozen = false;
  const obey = (socket: Socket) => (isFrozen ? socket.pause() : socket.resume());
  const server = createServer((client) => {
    const backend = connect(target, '127.0.0.1');
    for (const [one, other] of [
      [client, backend],
      [backend, client],
    ] as const) {
      sockets.add(one);
      one.on('data', (chunk) => other.write(chunk));
      one.on('error', () => undefined);
      one.on('close', () => {
        sockets.delete(one);
        other.destroy();
      });
      obey(one);
    }
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const cut = () => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    port: (server.address() as AddressInfo).port,
    cut,
    freeze(now) {
      isFrozen = now;
      for (const socket of sockets) obey(socket);
    },
    async [Symbol.asyncDispose]() {
      cut();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
