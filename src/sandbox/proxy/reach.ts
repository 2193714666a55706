import { lookup as ask } from 'node:dns';
import { once } from 'node:events';
import { connect, type LookupFunction, type Socket } from 'node:net';
import { connect as connectByTls } from 'node:tls';
import { type HostPattern, isLocalAddress, type Target, targetText, withoutDisguise } from './match-host.ts';
import { authorization, portOf } from './upstream-proxy.ts';

const CONNECTED_WITHIN_MS = 60_000;
const LONGEST_HEAD = 64 * 1024;

/** An allowed name resolved to this machine. */
export class LeadsHere extends Error {
  override readonly name = 'LeadsHere';
}

/** Connects to the target directly. */
export async function reachDirectly(target: Target, allowedBy: HostPattern): Promise<Socket> {
  return await connected(connect({ host: target.host, port: target.port, allowHalfOpen: true, lookup: lookupFor(allowedBy) }), 'connect');
}

/** Connects to the target through the host's own proxy. */
export async function reachThrough(proxy: URL, target: Target): Promise<Socket> {
  const where = { host: proxy.hostname.replace(/^\[|\]$/g, ''), port: portOf(proxy) };
  const socket = proxy.protocol === 'https:' ? connectByTls({ ...where, servername: where.host }) : connect({ ...where, allowHalfOpen: true });
  await connected(socket, proxy.protocol === 'https:' ? 'secureConnect' : 'connect');
  const headers = Object.entries({ Host: targetText(target), ...authorization(proxy) }).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.write(`CONNECT ${targetText(target)} HTTP/1.1\r\n${headers.join('')}\r\n`);
  try {
    const head = await readHead(socket);
    if (!/^HTTP\/1\.[01] 2\d\d/.test(head)) throw new Error(`the host's proxy answered: ${head.split('\r\n', 1)[0] ?? ''}`);
    return socket;
  } catch (error) {
    socket.destroy();
    throw error;
  }
}

/** An exact `host:port` of the operator may resolve to any address. Any other name must not resolve to this machine, whatever its DNS says. */
export function lookupFor({ host, port }: HostPattern): LookupFunction {
  if (typeof port === 'number' && !host.startsWith('*')) return ask;
  return (name, options, answer) => {
    ask(name, { ...options, all: true }, (error, addresses) => {
      if (error !== null) return answer(error, []);
      const elsewhere = addresses.filter(({ address }) => !isLocalAddress(withoutDisguise(address)));
      const [first] = elsewhere;
      if (first === undefined) return answer(new LeadsHere(`${name} leads to this machine`), []);
      return options.all ? answer(null, elsewhere) : answer(null, first.address, first.family);
    });
  };
}

async function connected(socket: Socket, event: 'connect' | 'secureConnect'): Promise<Socket> {
  const tooLate = () => socket.destroy(new Error('no answer'));
  socket.setTimeout(CONNECTED_WITHIN_MS, tooLate);
  await once(socket, event);
  socket.setTimeout(0);
  socket.off('timeout', tooLate);
  return socket;
}

/** Reads up to the end of the head; the bytes after it stay in the socket. */
async function readHead(socket: Socket): Promise<string> {
  let head = Buffer.alloc(0);
  for (;;) {
    const chunk: Buffer | null = socket.read();
    if (chunk === null) {
      if (socket.readableEnded || socket.destroyed) throw new Error("the host's proxy hung up");
      await Promise.race([once(socket, 'readable'), once(socket, 'close')]);
      continue;
    }
    head = Buffer.concat([head, chunk]);
    const end = head.indexOf('\r\n\r\n');
    if (end >= 0) {
      socket.unshift(head.subarray(end + 4));
      return head.toString('latin1', 0, end);
    }
    if (head.length > LONGEST_HEAD) throw new Error("the host's proxy answered too much");
  }
}
