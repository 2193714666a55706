import { assertNever } from '../kit/pure/assert-never.ts';
import type { HideSecrets } from '../kit/pure/hide-secrets.ts';
import { HIDDEN } from '../kit/pure/redact.ts';
import type { Claim } from './words/claim.ts';
import type { Ending } from './events/attempt.ts';
import type { GateResult } from './events/gates.ts';

export function maskOptional(hide: HideSecrets, text: string | null): string | null {
  return text === null ? null : hide(text);
}

export function maskClaim(hide: HideSecrets, claim: Claim | null): Claim | null {
  return claim && { ...claim, text: hide(claim.text) };
}

export function maskEnding(hide: HideSecrets, ending: Ending): Ending {
  switch (ending.kind) {
    case 'stopped':
      return { ...ending, detail: hide(ending.detail) };
    case 'never-started':
      return { ...ending, message: hide(ending.message) };
    case 'exited':
    case 'signalled':
    case 'lost':
      return ending;
    default:
      return assertNever(ending);
  }
}

/** The command is the operator's, and tells one gate from another. */
export function maskResults(hide: HideSecrets, results: readonly GateResult[]): GateResult[] {
  return results.map((result) => ({ ...result, ending: maskEnding(hide, result.ending), output: hide(result.output) }));
}

/** The words of a command line without secrets, also where a flag and its value are two of them. */
export function maskWords(hide: HideSecrets, words: readonly string[]): string[] {
  return words.map((word, at) => (wantsASecret(hide, words[at - 1]) ? HIDDEN : hide(word)));
}

function wantsASecret(hide: HideSecrets, flag: string | undefined): boolean {
  return flag?.startsWith('-') === true && hide(`${flag} x`) === `${flag} ${HIDDEN}`;
}
