import { lookup as ask } from 'node:dns';
import { once } from 'node:events';
import { type IncomingHttpHeaders, type IncomingMessage, type RequestOptions, type ServerResponse, request as send } from 'node:http';
import { request as sendByTls } from 'node:https';
import { connect, type LookupFunction, type Socket } from 'node:net';
import { pipeline } from 'node:stream';
import { connect as connectByTls } from 'node:tls';
import { type HostPattern, isLocalAddress, isLoopback, type Target, targetText, withoutDisguise } from './match-host.ts';

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
function lookupFor({ host, port }: HostPattern): LookupFunction {
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

/** The host's own proxy for a target; null for a direct connection. */
export type UpstreamFor = (target: Target, scheme: 'http' | 'tunnel') => URL | null;

/** Reads HTTPS_PROXY, HTTP_PROXY, ALL_PROXY and NO_PROXY with their usual meaning. SOCKS proxies are not supported and are ignored. */
export function readUpstream(variables: Readonly<Record<string, string>>): UpstreamFor {
  const said = (name: string) => variables[name.toLowerCase()] || variables[name] || '';
  const all = said('ALL_PROXY');
  const ways = { http: proxyUrl(said('HTTP_PROXY') || all), tunnel: proxyUrl(said('HTTPS_PROXY') || all) };
  const direct = said('NO_PROXY')
    .split(/[\s,]+/)
    .filter((entry) => entry !== '');
  return (target, scheme) => (isLoopback(target.host) || direct.some((entry) => isNamedBy(entry.toLowerCase(), target)) ? null : ways[scheme]);
}

/** The headers that log in to the host's proxy; empty when it needs no login. */
function authorization({ username, password }: URL): Readonly<Record<string, string>> {
  if (username === '') return {};
  const pair = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return { 'Proxy-Authorization': `Basic ${Buffer.from(pair).toString('base64')}` };
}

export function portOf({ port, protocol }: URL): number {
  return port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port);
}

function proxyUrl(text: string): URL | null {
  const full = text === '' || text.includes('://') ? text : `http://${text}`;
  if (!URL.canParse(full)) return null;
  const url = new URL(full);
  return url.protocol === 'http:' || url.protocol === 'https:' ? url : null;
}

function isNamedBy(entry: string, { host, port }: Target): boolean {
  if (entry === '*') return true;
  const [, name = '', onPort] = /^\*?\.?(.*?)(?::(\d+))?$/.exec(entry) ?? [];
  return name !== '' && (onPort === undefined || Number(onPort) === port) && (host === name || host.endsWith(`.${name}`));
}

/** A request that the proxy allowed. */
export interface PlainRequest {
  readonly url: URL;
  readonly target: Target;
  readonly allowedBy: HostPattern;
  /** The host's own proxy, or null. */
  readonly upstream: URL | null;
}

/** Headers about a single connection. The proxy has two connections, so it does not forward them. */
const OF_ONE_CONNECTION: ReadonlySet<string> = new Set([
  'connection',
  'expect',
  'host',
  'http2-settings',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

/**
 * Forwards the request and its response. The proxy parses head and body and writes them anew, with the host that was checked, so the client's own framing never
 * reaches the server.
 */
export function sendOn({ url, target, allowedBy, upstream }: PlainRequest, from: IncomingMessage, to: ServerResponse, fail: (error: Error) => void): void {
  const body = from.headers['transfer-encoding'] === undefined ? {} : { 'Transfer-Encoding': 'chunked' };
  const headers = { ...passedOn(from.headers), ...body, Host: url.host, Connection: 'close' };
  const path = `${url.pathname}${url.search}`;
  const plan: RequestOptions =
    upstream === null
      ? { host: target.host, port: target.port, path, headers, lookup: lookupFor(allowedBy) }
      : { host: upstream.hostname, port: portOf(upstream), path: `http://${targetText(target)}${path}`, headers: { ...headers, ...authorization(upstream) } };
  const out = (upstream?.protocol === 'https:' ? sendByTls : send)({ ...plan, method: from.method, agent: false, setHost: false });
  out.on('response', (answer) => {
    to.writeHead(answer.statusCode ?? 502, answer.statusMessage ?? '', passedBack(answer));
    pipeline(answer, to, () => {});
  });
  out.on('error', fail);
  to.on('close', () => out.destroy());
  pipeline(from, out, () => {});
}

function passedOn(headers: IncomingHttpHeaders): IncomingHttpHeaders {
  const named = namedIn(headers.connection);
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !OF_ONE_CONNECTION.has(name) && !named.has(name)));
}

/** One flat list of names and values, so that repeated headers stay repeated. */
function passedBack({ rawHeaders, headers }: IncomingMessage): string[] {
  const named = namedIn(headers.connection);
  const kept: string[] = [];
  for (let at = 0; at + 1 < rawHeaders.length; at += 2) {
    const [name = '', value = ''] = rawHeaders.slice(at, at + 2);
    if (!OF_ONE_CONNECTION.has(name.toLowerCase()) && !named.has(name.toLowerCase())) kept.push(name, value);
  }
  return kept;
}

function namedIn(connection: string | undefined): ReadonlySet<string> {
  return new Set((connection ?? '').split(',').map((name) => name.trim().toLowerCase()));
}
