import { hash } from 'node:crypto';

const SEAL = /,"d":"([0-9a-f]{16})"\}$/;
const SEAL_CHARS = ',"d":"0123456789abcdef"}'.length;

/** A line of a journal as it was before its digest was put into it. */
export interface OpenedLine {
  readonly line: string;
  /** Null: it has none. */
  readonly digest: string | null;
}

/**
 * What stands in a journal up to and with this line, in 16 digits. A changed, removed, added or moved line shows at its place or at the next one.
 * It is a seal against accidents and clumsy edits, not against a forger: there is no secret in it, so who takes all digests away or makes all of
 * them anew, and who cuts lines off the end, is noticed only by the loop that lives, which knows what it wrote.
 */
export function digestOf(before: string, line: string): string {
  return hash('sha256', before + line, 'hex').slice(0, 16);
}

export function sealLine(line: string, digest: string): string {
  return `${line.slice(0, -1)},"d":"${digest}"}`;
}

/** The seal stands at the end, where no event of ours has a field of its own. */
export function openLine(sealed: string): OpenedLine {
  const line = sealed.endsWith('\r') ? sealed.slice(0, -1) : sealed;
  const digest = SEAL.exec(line.slice(-SEAL_CHARS))?.[1];
  return digest === undefined ? { line, digest: null } : { line: `${line.slice(0, -SEAL_CHARS)}}`, digest };
}
