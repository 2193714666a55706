import type { Claim, ClaimSpec } from '../../journal/words/claim.ts';
import { openClaimScanner } from './claim-scanner.ts';

/** What the last message of an agent claims, by the scanner's rules. */
export function findClaim(text: string, specs: readonly ClaimSpec[], prompt: string): Claim | null {
  const scanner = openClaimScanner(specs, prompt);
  for (const line of text.split('\n')) scanner.line(line);
  return scanner.claim();
}
