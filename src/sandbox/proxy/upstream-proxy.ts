import { isLoopback, type Target } from './match-host.ts';

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
export function authorization({ username, password }: URL): Readonly<Record<string, string>> {
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
