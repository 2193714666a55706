/** The target of a connection in one spelling: lower case, no trailing dot, addresses in their shortest form and without brackets. */
export interface Target {
  readonly host: string;
  readonly port: number;
}

/** One entry of the allow-list. */
export interface HostPattern {
  /** `*`: any name. `*.x`: any name below x, not x itself. */
  readonly host: string;
  /** null: 443 and 80, the ports of the web. `*`: all ports. */
  readonly port: number | '*' | null;
}

const WEB_PORTS: readonly number[] = [443, 80];
const NAME = /^[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?(\.[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?)*$/;

/** Parses `host`, `*.host`, `host:port`, `[v6]:port` or `host:*`; null for anything else. */
export function parseHostPattern(text: string): HostPattern | null {
  const parts = /^(?<host>\*|\[[^\]]+\]|[^:[\]]+|[0-9a-f:.]*::?[0-9a-f:.]*)(?::(?<port>\d{1,5}|\*))?$/i.exec(text.trim())?.groups;
  const rawHost = parts?.['host'];
  if (rawHost === undefined) return null;
  const port = parts?.['port'] === undefined ? null : parts['port'] === '*' ? '*' : portOf(parts['port']);
  if (port === null && parts?.['port'] !== undefined) return null;
  if (rawHost === '*') return { host: '*', port };
  const wild = rawHost.startsWith('*.');
  const host = plainHost(wild ? rawHost.slice(2) : rawHost);
  if (host === null || (wild && isAddress(host))) return null;
  return { host: wild ? `*.${host}` : host, port };
}

/** Parses the `host:port` of a CONNECT; null for anything else, such as user names, paths or a missing port. */
export function parseTarget(text: string): Target | null {
  const parts = /^(?<host>\[[^\]]+\]|[^:[\]]+):(?<port>\d{1,5})$/.exec(text)?.groups;
  const host = plainHost(parts?.['host'] ?? '');
  const port = portOf(parts?.['port'] ?? '');
  return host === null || port === null ? null : { host, port };
}

/** The pattern that allows the target, or null. Only a pattern that names this machine allows connections to it. */
export function patternFor({ host, port }: Target, patterns: readonly HostPattern[]): HostPattern | null {
  return patterns.find((pattern) => portMatches(pattern.port, port) && hostMatches(pattern.host, host)) ?? null;
}

/** Whether the address is this machine or link-local. A name from outside must never lead there. */
export function isLocalAddress(address: string): boolean {
  return isLoopback(address) || /^(0\.|169\.254\.)/.test(address) || address === '::' || /^fe[89ab]/.test(address);
}

export function isLoopback(host: string): boolean {
  return host === 'localhost' || host.endsWith('.localhost') || host === '::1' || /^127\.\d+\.\d+\.\d+$/.test(host);
}

/** Rewrites an address in the spelling of `Target`. */
export function withoutDisguise(address: string): string {
  return plainHost(address) ?? address;
}

function isAddress(host: string): boolean {
  return host.includes(':') || /^\d+\.\d+\.\d+\.\d+$/.test(host);
}

/** The target as it is written in a URL or a CONNECT. */
export function targetText({ host, port }: Target): string {
  return `${host.includes(':') ? `[${host}]` : host}:${port}`;
}

function portMatches(wanted: HostPattern['port'], port: number): boolean {
  return wanted === '*' || (wanted === null ? WEB_PORTS.includes(port) : wanted === port);
}

/** localhost, 127.0.0.1 and ::1 are the same host. */
function hostMatches(wanted: string, host: string): boolean {
  if (wanted === host) return true;
  if (wanted === '*') return !isLocalAddress(host);
  if (wanted.startsWith('*.')) return host.endsWith(wanted.slice(1)) && !isAddress(host);
  return isThisMachine(wanted) && isThisMachine(host);
}

const isThisMachine = (host: string) => host === 'localhost' || host === '127.0.0.1' || host === '::1';

function portOf(text: string): number | null {
  const port = Number(text);
  return text !== '' && Number.isInteger(port) && port > 0 && port < 65_536 ? port : null;
}

/** Uses the URL parser, because it knows every spelling of an address: `0x7f.1`, `2130706433`, `::ffff:127.0.0.1`. */
function plainHost(text: string): string | null {
  const bare = text.startsWith('[') ? text.slice(1, -1) : text;
  const written = bare.includes(':') ? `[${bare}]` : bare.replace(/\.$/, '').toLowerCase();
  if (!bare.includes(':') && !(NAME.test(written) && written.length <= 253)) return null;
  if (!URL.canParse(`http://${written}/`)) return null;
  const { hostname } = new URL(`http://${written}/`);
  return hostname.startsWith('[') ? unmapped(hostname.slice(1, -1)) : hostname;
}

/** Turns an IPv4 address that is written as IPv6 back into IPv4. Takes the shortest form. */
function unmapped(address: string): string {
  const groups = /^::ffff:(?<high>[0-9a-f]{1,4}):(?<low>[0-9a-f]{1,4})$/.exec(address)?.groups;
  if (groups === undefined) return address;
  const bytes = [groups['high'], groups['low']].map((group) => Number.parseInt(group ?? '', 16)).flatMap((word) => [word >> 8, word & 255]);
  return bytes.join('.');
}
