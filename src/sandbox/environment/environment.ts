import { io } from '../../process/io.ts';

/** The environment variables of the current command. */
export function environment(): Record<string, string> {
  const entries = Object.entries(io().env).filter((entry): entry is [string, string] => entry[1] !== undefined);
  return Object.fromEntries(entries);
}

/** Set for a process that has its own git. */
export const OWN_GIT = 'RALPH_OWN_GIT';
