import { gateEnvironment } from '../sandbox/environment/gate-environment.ts';
import type { AgentDefinition, Cloud } from './agent-definition.ts';
import { definitions } from './definitions.ts';
import { definitionOfKind } from './find-definition.ts';

type Environment = Readonly<Record<string, string>>;

/** An agent kind that gets no login and no key. */
export const NOBODY = 'nobody';

interface AgentWish {
  readonly kind: string;
  /** Variables that choose its account; `$NAME` is a variable of the operator. */
  readonly env?: Environment | undefined;
  /** Names of variables that the operator lets pass, with `*` for any characters. They may name secrets. */
  readonly pass: readonly string[];
}

/** The environment of an agent: that of a gate, and the variables that this kind of agent needs. Gates get no keys, because they run code that an agent wrote. */
export function agentEnvironment(base: Environment, { kind, pass, env }: AgentWish): Environment {
  const account = accountVariables(env, base);
  return { ...gateEnvironment(base, { pass: [...pass, ...variablesFor(kind, { ...base, ...account })] }), ...account };
}

/** The variables of an account. One that the operator has not set is empty, so that the agent does not use another account instead. */
export function accountVariables(env: Environment = {}, base: Environment): Environment {
  return Object.fromEntries(Object.entries(env).map(([name, value]) => [name, value.startsWith('$') ? (base[value.slice(1)] ?? '') : value]));
}

/** Variables of vendors that are not the main one of any agent we know. */
const OTHER_VENDORS = ['PERPLEXITY_*', 'XAI_*', 'OPENROUTER_*', 'MISTRAL_*', 'GROQ_*', 'DEEPSEEK_*', 'CEREBRAS_*', 'FIREWORKS_*', 'TOGETHER_*', 'OLLAMA_*'];

/** An agent that works with any model, and one we do not know, gets the variables of all vendors. */
function variablesFor(kind: string, env: Environment): readonly string[] {
  if (kind === NOBODY) return [];
  const definition = definitionOfKind(kind);
  const variablesOf = (agent: AgentDefinition) => [...agent.variables, ...usedClouds(agent, env).flatMap(({ variables }) => variables)];
  return definition.model === 'any' ? [...definitions.flatMap(variablesOf), ...OTHER_VENDORS] : variablesOf(definition);
}

/** Variables with the address of a model, for an agent that works with any. */
const ANY_ADDRESS = [
  'ANTHROPIC_BASE_URL',
  'OPENAI_BASE_URL',
  'OPENAI_API_BASE',
  'AZURE_OPENAI_ENDPOINT',
  'GOOGLE_GEMINI_BASE_URL',
  'OPENROUTER_BASE_URL',
  'OLLAMA_HOST',
  'LITELLM_BASE_URL',
];

/** The hosts that an agent needs to work at all, as entries of the allow-list: the model's API, and the hosts that renew its login. */
export function modelHosts(kind: string, env: Environment): readonly string[] {
  const definition = definitionOfKind(kind);
  const { model } = definition;
  if (model === 'any') return unique(hostsIn(ANY_ADDRESS, env));
  const elsewhere = hostsIn(model.movedBy, env);
  const ofClouds = usedClouds(definition, env).flatMap(({ hosts }) => hosts(env));
  return unique([...(elsewhere.length > 0 ? elsewhere : model.hosts), ...model.login, ...hostsIn(model.alsoAt, env), ...ofClouds]);
}

function usedClouds({ model }: AgentDefinition, env: Environment): readonly Cloud[] {
  return model === 'any' ? [] : model.clouds.filter(({ switchedOnBy }) => !/^(|0|false|no|off)$/i.test(env[switchedOnBy] ?? ''));
}

function hostsIn(variables: readonly string[], env: Environment): readonly string[] {
  return variables.flatMap((name) => hostIn(env[name] ?? '') ?? []);
}

/** Always includes the port, even the default one: a gateway's name may lead to this machine, and only an exact `host:port` allows that. */
function hostIn(address: string): string | null {
  const full = address.includes('://') ? address : `http://${address}`;
  if (address === '' || !URL.canParse(full)) return null;
  const { hostname, port, protocol } = new URL(full);
  return hostname === '' ? null : `${hostname}:${port || (protocol === 'https:' || protocol === 'wss:' ? 443 : 80)}`;
}

const unique = (hosts: readonly string[]) => [...new Set(hosts)];
