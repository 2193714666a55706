import { type MountRule, orderRules } from './mount-plan.ts';

export const SEATBELT = '/usr/bin/sandbox-exec';

interface SeatbeltNeeds {
  /** The folder that replaces private ones. */
  readonly scratch: string;
  /** The proxy's port on loopback; null: no network. */
  readonly proxyPort: number | null;
  /** Allowed ports of loopback, besides the proxy's. */
  readonly loopbackPorts: readonly number[];
  readonly sockets: readonly string[];
}

/**
 * The same rules in the language of macOS, where the last matching rule wins. It has no mounts, so a private or replaced folder is only closed. Never run: we
 * had no macOS.
 */
export function seatbeltProfile(rules: readonly MountRule[], { scratch, proxyPort, loopbackPorts, sockets }: SeatbeltNeeds): string {
  const ports = [...(proxyPort === null ? [] : [proxyPort]), ...loopbackPorts];
  return [
    '(version 1)',
    '(allow default)',
    '(deny file-write*)',
    '(allow file-write* (literal "/dev/null") (literal "/dev/zero") (regex #"^/dev/tty"))',
    ...orderRules(rules).map(lineOf),
    `(allow file-read* file-write* (subpath ${quoted(scratch)}))`,
    '(deny network*)',
    ...ports.map((port) => `(allow network-outbound (remote ip "localhost:${port}"))`),
    ...sockets.map((path) => `(allow network-outbound (literal ${quoted(path)}))`),
    '(deny process-info* (target others))',
    '(deny signal (target others))',
    '(allow signal (target same-sandbox))',
  ].join('\n');
}

function lineOf(rule: MountRule): string {
  const path = `(subpath ${quoted(rule.path)})`;
  switch (rule.as) {
    case 'read-only':
      return `(allow file-read* ${path})(deny file-write* ${path})`;
    case 'writable':
      return `(allow file-read* file-write* ${path})`;
    case 'private':
      // Denies listing as well, but allows metadata, so that paths through the folder still resolve.
      return `(deny file-read-data file-write* ${path})`;
    case 'replaced':
    case 'shown':
      return `(allow file-read* ${path})(deny file-write* ${path})`;
    case 'link':
      return '';
    case 'hidden':
      return `(deny file-read* file-write* ${path})`;
  }
}

function quoted(path: string): string {
  return `"${path.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`;
}
