import { readFile } from 'node:fs/promises';
import { type JsonObject, objectIn } from './json.ts';

/** What one agent CLI needs before it can work, as the CLI itself looks for it. `AgentDefinition.preflight` loads it. */
export interface AgentPreflight {
  /** Arguments that make the program print its version and end. */
  readonly versionArgs: readonly string[];
  /** How to make the program check its arguments without a request to its model. Absent: it has no such way. */
  readonly flagTrial?: FlagTrial;
  /** The address of its model; null if that is unknown. */
  model(place: AgentPlace): Promise<ModelAddress | null>;
  login(place: AgentPlace): Promise<Login>;
}

export interface AgentPlace {
  /** The environment that the agent gets. */
  readonly env: Readonly<Record<string, string>>;
  /** The operator's environment, which has more variables. */
  readonly hostEnv: Readonly<Record<string, string>>;
  /** The operator's home folder; null if it is unknown. */
  readonly home: string | null;
  readonly cwd: string;
  readonly model: string | null;
  /** The operator's own flags, one word each, with those in the agent's command. */
  readonly flags: readonly string[];
}

export interface ModelAddress {
  readonly url: string;
  /** The variable, or the key and its file, that names the address; null if it is the agent's default. */
  readonly namedBy: string | null;
  /** The key that the agent will use there. Absent if it uses none, or that is unknown. */
  readonly key?: ModelKey;
}

/** How to learn whether a provider accepts a key, without a request that costs something. */
export interface ModelKey {
  /** The variable, or the key and its file, that has it. */
  readonly namedBy: string;
  /** The list of models, below the address. */
  readonly list: string;
  /** Secret: those with which the agent sends the key. */
  readonly headers: Readonly<Record<string, string>>;
}

/** An address with more after its path. */
export const below = (url: string, path: string) => `${url.replace(/\/+$/, '')}${path}`;

export type Login =
  | { readonly state: 'found'; readonly by: string }
  | { readonly state: 'missing'; readonly what: string; readonly where: string; readonly fix: string }
  /** The login may be in a place that Ralph does not read, such as a keychain. */
  | { readonly state: 'unknown' };

export interface FlagTrial {
  /** The arguments of the trial, made of those of a real call. Its standard input is empty. */
  args(real: readonly string[]): readonly string[];
  /** The program's own words about an argument it does not know; null if it accepted all of them. */
  complaint(output: string): string | null;
}

/** The JSON object in a file; null if there is none, or the file cannot be read. */
export async function readJsonObject(path: string): Promise<JsonObject | null> {
  try {
    return objectIn(JSON.parse(await readFile(path, 'utf8')));
  } catch {
    return null;
  }
}

/** The first of these variables that is set and not empty. */
export function firstSet(env: Readonly<Record<string, string>>, names: readonly string[]): string | null {
  return names.find((name) => (env[name] ?? '') !== '') ?? null;
}
