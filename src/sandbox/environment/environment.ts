import { io } from '../../process/io.ts';

/** The variables of the call we are in. */
export function environment(): Record<string, string> {
  const entries = Object.entries(io().env).filter((entry): entry is [string, string] => entry[1] !== undefined);
  return Object.fromEntries(entries);
}

/** Set for a process that has a repository of its own. */
export const OWN_GIT = 'RALPH_OWN_GIT';
