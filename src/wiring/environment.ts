import { secretsIn } from './environment/secret-values.ts';

/** The one place that reads the process environment. */
export function environment(): Record<string, string> {
  const entries = Object.entries(process.env).filter((entry): entry is [string, string] => entry[1] !== undefined);
  return Object.fromEntries(entries);
}

/** What nobody should read of it. */
export function secretsInEnvironment(): readonly string[] {
  return secretsIn(environment());
}
