/** The one place that reads the process environment. */
export function environment(): Record<string, string> {
  const entries = Object.entries(process.env).filter((entry): entry is [string, string] => entry[1] !== undefined);
  return Object.fromEntries(entries);
}

/** Shorter values are words that stand in any text. */
const SHORTEST_SECRET = 8;

/** The values of variables that are called secrets by their names. */
export function secretsInEnvironment(): readonly string[] {
  return Object.entries(environment())
    .filter(([name, value]) => /(KEY|TOKEN|SECRET|PASSWORD|CREDENTIALS?)$/i.test(name) && value.length >= SHORTEST_SECRET)
    .map(([, value]) => value);
}
