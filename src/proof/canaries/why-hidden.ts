import { withoutColours } from './plant.ts';

/** How programs say that a network, a host or a database is not there. */
const missing =
  /\b(?:ECONNREFUSED|ECONNRESET|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH)\b|connection refused|could not (?:connect|resolve)|name resolution|network is unreachable|no route to host|proxy (?:connect|tunnel)/i;

const MOST_CHARS = 120;

interface Red {
  readonly output: string;
  /** Whether the gate is green without planted failures, as at a claim. */
  readonly isGreenAlone: boolean;
}

/** Why a gate that is red with planted failures shows none of them, as far as its output tells, and what a person can do about it. */
export function whyHidden({ output, isGreenAlone }: Red): string {
  const lines = withoutColours(output).split('\n');
  const said = lines.find((line) => missing.test(line))?.trim();
  if (said !== undefined)
    return `it needs what is not there, "${said.slice(0, MOST_CHARS)}": start it, allow its host with sandbox.allowHosts, or run the check outside with sandbox.gates`;
  if (lines.every((line) => line.trim() === '')) return 'it prints nothing: let it print which test fails';
  return isGreenAlone ? 'let it print the output of each test that fails' : 'it may be red before its tests run: Ralph looks again at each claim';
}
