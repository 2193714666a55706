import { type IncomingHttpHeaders, type IncomingMessage, type RequestOptions, type ServerResponse, request as send } from 'node:http';
import { request as sendByTls } from 'node:https';
import { pipeline } from 'node:stream';
import { type HostPattern, type Target, targetText } from './match-host.ts';
import { lookupFor } from './reach.ts';
import { authorization, portOf } from './upstream-proxy.ts';

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
