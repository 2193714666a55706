import { chmod, mkdir, rm } from 'node:fs/promises';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { dirname } from 'node:path';
import type { Duplex } from 'node:stream';
import { type HostPattern, parseTarget, patternFor, type Target, targetText } from './match-host.ts';
import { LeadsHere, reachDirectly, reachThrough, readUpstream, sendOn, type UpstreamFor } from './reach.ts';

export interface ProxyOptions {
  readonly hosts: readonly HostPattern[];
  /** The path of a socket, or any free port of loopback where the sandbox cannot share sockets. */
  readonly listenOn: { readonly socket: string } | 'loopback';
  /** The host's own proxy variables. */
  readonly upstream: Readonly<Record<string, string>>;
  /** Called with `host:port`, once per target. */
  readonly onRefused: (target: string) => void;
}

export interface OpenProxy extends AsyncDisposable {
  /** The port on loopback; null for a socket. */
  readonly port: number | null;
}

/** More connections than this look like an attack from inside. */
const MOST_CONNECTIONS = 1_000;

/**
 * The only network access from the sandbox: CONNECT and plain HTTP, to the hosts on the allow-list. The proxy resolves names itself, and only those that the
 * list allows.
 */
export async function openProxy(options: ProxyOptions): Promise<OpenProxy> {
  const judge = openJudge(options);
  const sockets = new Set<Duplex>();
  const server = createServer({ maxHeaderSize: 16 * 1024, requestTimeout: 0, keepAliveTimeout: 5_000 }, (request, response) => plain(judge, request, response));
  server.maxConnections = MOST_CONNECTIONS;
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('error', () => {}).on('close', () => sockets.delete(socket));
  });
  server.on('connect', (request: IncomingMessage, client: Duplex, head: Buffer) => void tunnel(judge, request.url ?? '', { client, head }));
  server.on('clientError', (_error, socket) => void socket.destroy());
  await listen(server, options.listenOn);
  return {
    port: typeof options.listenOn === 'string' ? (server.address() as AddressInfo).port : null,
    async [Symbol.asyncDispose]() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      for (const socket of sockets) socket.destroy();
      await closed;
      if (typeof options.listenOn !== 'string') await rm(options.listenOn.socket, { force: true });
    },
  };
}

/** Removes the socket file first: a proxy that was killed may have left it. */
async function listen(server: Server, where: ProxyOptions['listenOn']): Promise<void> {
  if (typeof where !== 'string') {
    await mkdir(dirname(where.socket), { recursive: true, mode: 0o700 });
    await rm(where.socket, { force: true });
  }
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    const listening = () => {
      server.off('error', reject);
      resolve();
    };
    if (typeof where === 'string') server.listen(0, '127.0.0.1', listening);
    else server.listen(where.socket, listening);
  });
  if (typeof where !== 'string') await chmod(where.socket, 0o600);
}

interface Judge {
  /** The pattern that allows the target; null when it is refused and reported. */
  allow(target: Target): HostPattern | null;
  refuse(target: Target): void;
  readonly upstreamFor: UpstreamFor;
}

function openJudge({ hosts, upstream, onRefused }: ProxyOptions): Judge {
  const tell = tellOnce(onRefused);
  const refuse = (target: Target) => tell(targetText(target));
  return {
    refuse,
    upstreamFor: readUpstream(upstream),
    allow(target) {
      const pattern = patternFor(target, hosts);
      if (pattern === null) refuse(target);
      return pattern;
    },
  };
}

async function tunnel(judge: Judge, wanted: string, { client, head }: { readonly client: Duplex; readonly head: Buffer }): Promise<void> {
  client.on('error', () => {});
  const target = parseTarget(wanted);
  if (target === null) return answer(client, '400 Bad Request', 'CONNECT wants host:port.');
  const allowedBy = judge.allow(target);
  if (allowedBy === null) return answer(client, '403 Forbidden', refusal(target));
  try {
    const upstream = judge.upstreamFor(target, 'tunnel');
    const far = upstream === null ? await reachDirectly(target, allowedBy) : await reachThrough(upstream, target);
    if (client.destroyed) return void far.destroy();
    client.write('HTTP/1.1 200 Connection Established\r\n\r\n');
    far.write(head);
    joinSockets(client, far);
  } catch (error) {
    if (error instanceof LeadsHere) judge.refuse(target);
    answer(client, ...trouble(target, error));
  }
}

function plain(judge: Judge, request: IncomingMessage, response: ServerResponse): void {
  const say = (status: string, words: string): void => {
    if (response.headersSent) response.destroy();
    else response.writeHead(Number(status.slice(0, 3)), { 'Content-Type': 'text/plain', Connection: 'close' }).end(`ralph: ${words}\n`);
  };
  const url = URL.canParse(request.url ?? '') ? new URL(request.url ?? '') : null;
  const target = url === null ? null : parseTarget(`${url.hostname}:${url.port || 80}`);
  if (url === null || target === null || url.protocol !== 'http:' || url.username !== '') {
    say('400', 'this is a proxy: it wants CONNECT host:port, or a request for http://host/path.');
    return;
  }
  const allowedBy = judge.allow(target);
  if (allowedBy === null) {
    say('403', refusal(target));
    return;
  }
  sendOn({ url, target, allowedBy, upstream: judge.upstreamFor(target, 'http') }, request, response, (error) => {
    if (error instanceof LeadsHere) judge.refuse(target);
    say(...trouble(target, error));
  });
}

function refusal(target: Target): string {
  return `the sandbox refused a connection to ${targetText(target)}. The operator can allow it with sandbox.allowHosts in the settings.`;
}

function trouble(target: Target, error: unknown): [status: string, words: string] {
  if (error instanceof LeadsHere) return ['403 Forbidden', `${error.message}, which only an entry host:port in sandbox.allowHosts allows.`];
  return ['502 Bad Gateway', `${targetText(target)} cannot be reached: ${error instanceof Error ? error.message : String(error)}.`];
}

function answer(client: Duplex, status: string, words: string): void {
  const line = `ralph: ${words}\n`;
  client.end(`HTTP/1.1 ${status}\r\nContent-Type: text/plain\r\nContent-Length: ${Buffer.byteLength(line)}\r\nConnection: close\r\n\r\n${line}`);
}

/** Limits the reports: a process inside can invent any number of targets. */
const MOST_TARGETS = 200;

/** Passes each text on once. */
function tellOnce(tell: (text: string) => void): (text: string) => void {
  const told = new Set<string>();
  return (text) => {
    if (told.has(text) || told.size >= MOST_TARGETS) return;
    told.add(text);
    tell(text);
  };
}

/** Forwards bytes both ways with backpressure. Each direction ends separately; an error in one closes both. */
function joinSockets(one: Duplex, other: Duplex): void {
  const ways: readonly (readonly [Duplex, Duplex])[] = [
    [one, other],
    [other, one],
  ];
  for (const [from, to] of ways) {
    from.on('error', () => to.destroy());
    from.on('close', () => {
      if (!from.readableEnded) to.destroy();
    });
    from.pipe(to);
  }
}
