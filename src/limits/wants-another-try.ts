import type { AttemptVerdict } from '../journal/events/attempt.ts';

/** After a usage limit always, and a few times when it came to nothing at all. Neither costs an iteration. */
export function wantsAnotherTry(verdict: AttemptVerdict, repeated: number, repeats: number): boolean {
  switch (verdict) {
    case 'limited':
      return true;
    case 'empty':
    case 'lost':
      return repeated < repeats;
    case 'ok':
    case 'failed':
    case 'fatal':
      return false;
    default:
      return verdict satisfies never;
  }
}
