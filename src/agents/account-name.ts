import { createHash } from 'node:crypto';
import type { AgentSpec } from '../settings/schema/sandbox-spec.ts';
import { wordsOf } from './command-words.ts';
import { commandName, definitionOfKind } from './find-definition.ts';

/** Variables that choose a login or a provider: a folder, an address or a key. */
const CHOOSES_LOGIN = /_(?:CONFIG_DIR|HOME|BASE_URL|API_KEY|AUTH_TOKEN|OAUTH_TOKEN)$/;

type Agent = Pick<AgentSpec, 'name' | 'kind' | 'command' | 'env'>;
type Environment = Readonly<Record<string, string>>;

/**
 * The name of the account an agent works with: that of the agent, and a digest of what tells its logins apart. The digest is short, so that no key can be
 * guessed from it. An account of a profile has the profile's name too. A program that Ralph does not know has an account of its own, because nobody knows what it starts.
 */
export function accountName(agent: Agent, env: Environment): string {
  const { name, isKnown, own, chosen } = choiceOf(agent, env);
  if (isKnown && chosen.length === 0) return name;
  const parts = [...(isKnown ? [] : [agent.kind, ...wordsOf(agent.command)]), ...chosen.sort().flatMap((variable) => [variable, env[variable] ?? ''])];
  const digest = createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 8);
  return own.length > 0 && agent.name !== undefined ? `${name}-${agent.name}-${digest}` : `${name}-${digest}`;
}

/** Whether the name means the same login on every machine: it is that of a key, and a key is one account wherever it is used. */
export function isEverywhere(agent: Agent, env: Environment): boolean {
  const { isKnown, chosen } = choiceOf(agent, env);
  return isKnown && chosen.some((variable) => IS_KEY.test(variable) && env[variable] !== '');
}

const IS_KEY = /_(?:API_KEY|AUTH_TOKEN|OAUTH_TOKEN)$/;

/** What chooses a login: the program, and variables. */
function choiceOf(agent: Agent, env: Environment) {
  const definition = definitionOfKind(agent.kind);
  const name = commandName(agent.command);
  const own = Object.keys(agent.env ?? {});
  const chosen = Object.keys(env).filter(
    (variable) => own.includes(variable) || (CHOOSES_LOGIN.test(variable) && env[variable] !== '' && definition.variables.some(fits(variable))),
  );
  return { name, isKnown: definition.program === name, own, chosen };
}

const fits = (variable: string) => (pattern: string) => (pattern.endsWith('*') ? variable.startsWith(pattern.slice(0, -1)) : variable === pattern);
