import { io } from '../../process/io.ts';
import { secretsIn } from './open-mask.ts';

/** The variables of the call we are in. */
export function environment(): Record<string, string> {
  const entries = Object.entries(io().env).filter((entry): entry is [string, string] => entry[1] !== undefined);
  return Object.fromEntries(entries);
}

/** What nobody should read of it. */
export function secretsInEnvironment(): readonly string[] {
  return secretsIn(environment());
}

/** Set for a process that has a repository of its own. */
export const OWN_GIT = 'RALPH_OWN_GIT';
