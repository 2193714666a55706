import { type IncomingHttpHeaders, type IncomingMessage, type RequestOptions, type ServerResponse, request as send } from 'node:http';
import { request as sendByTls } from 'node:https';
import { pipeline } from 'node:stream';
import { type HostPattern, type Target, targetText } from './match-host.ts';
import { lookupFor } from './reach.ts';
import { authorization, portOf } from './upstream-proxy.ts';

/** One request that was let pass. */
export interface PlainRequest {
  readonly url: URL;
  readonly target: Target;
  readonly allowedBy: HostPattern;
  /** The host's own proxy, or null. */
  readonly upstream: URL | null;
}

/** They speak of one connection, and ours has two. */
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
 * Sends it on and the answer back. Head and body are read by one parser and written anew by another, with the host that was checked:
 * nothing of the request's own framing gets through.
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

/** As pairs in one list, so that what comes twice goes twice. */
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
