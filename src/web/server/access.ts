import { timingSafeEqual } from 'node:crypto';
import { isIP } from 'node:net';
import { hostname } from 'node:os';

/** Who may use the page: whoever has the token, from the page itself. */
export interface Access {
  readonly token: string;
  /** The address the server listens at, as the operator gave it. */
  readonly host: string;
  readonly port: () => number;
}

/** The parts of a request that decide. */
export interface Asked {
  readonly method: string;
  readonly host: string | null;
  readonly origin: string | null;
  /** `Sec-Fetch-Site`: how the browser came to ask. */
  readonly site: string | null;
  readonly cookie: string | null;
}

const LOOPBACK = new Set(['127.0.0.1', 'localhost', '[::1]']);
const EVERYWHERE = new Set(['0.0.0.0', '::']);

export const isLoopback = (host: string) => LOOPBACK.has(host) || host === '::1' || /^127\.\d+\.\d+\.\d+$/.test(host);

/** Why a request is refused before anything is looked at; null: it may go on. A name that leads here but is not ours is DNS rebinding. */
export function refusalOf({ host, port }: Access, asked: Asked): string | null {
  const named = hostIn(asked.host, port());
  if (named === null || !isOurs(named, host)) return 'This name is not the address of ralph ui.';
  if (asked.method === 'GET' || asked.method === 'HEAD') return asked.site === 'cross-site' || asked.site === 'same-site' ? OTHER_PAGE : null;
  return asked.origin === `http://${asked.host}` && (asked.site === null || asked.site === 'same-origin') ? null : OTHER_PAGE;
}

const OTHER_PAGE = 'Only the page of ralph ui may ask for this.';

/** The name without the port; null: there is none, or the port is another. */
function hostIn(header: string | null, port: number): string | null {
  const [, name, given] = /^(\[[0-9a-f:.]+\]|[^:[\]]+)(?::(\d+))?$/i.exec(header ?? '') ?? [];
  return name !== undefined && Number(given ?? 80) === port ? name.toLowerCase() : null;
}

function isOurs(name: string, host: string): boolean {
  if (LOOPBACK.has(name)) return true;
  if (EVERYWHERE.has(host)) return isIP(name.replace(/^\[|\]$/g, '')) !== 0 || name === hostname().toLowerCase();
  return name === host.toLowerCase() || name === `[${host.toLowerCase()}]`;
}

/** Cookies know no ports, and several may be open at a time. */
export const cookieName = ({ port }: Pick<Access, 'port'>) => `ralph-ui-${port()}`;

export function cookieOf(access: Access): string {
  return `${cookieName(access)}=${access.token}; Path=/; HttpOnly; SameSite=Strict`;
}

export function hasCookie(access: Access, cookie: string | null): boolean {
  const name = `${cookieName(access)}=`;
  const value = (cookie ?? '')
    .split(';')
    .map((part) => part.trim())
    .find((part) => part.startsWith(name));
  return isToken(access, value?.slice(name.length) ?? '');
}

/** Takes as long for a wrong token as for the right one. */
export function isToken({ token }: Pick<Access, 'token'>, given: string): boolean {
  const [one, other] = [Buffer.from(token), Buffer.from(given)];
  return one.length === other.length && timingSafeEqual(one, other);
}

/** Nothing from elsewhere, no script in the page itself, no frame around it. */
export const SAFE_HEADERS: Readonly<Record<string, string>> = {
  'Content-Security-Policy': [
    "default-src 'none'",
    ...["script-src 'self'", "style-src 'self'", "img-src 'self'", "connect-src 'self'", "worker-src 'self'"],
    ...["base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'"],
  ].join('; '),
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Cache-Control': 'no-store',
};
