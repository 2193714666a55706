import { carriesASecret } from './carries-a-secret.ts';
import { openNamePattern } from './name-pattern.ts';
import { PASSING, PROXIES } from './passing-variables.ts';
import { variablesOfVendor } from './vendor-variables.ts';

type Environment = Readonly<Record<string, string>>;

interface AgentWish {
  readonly agentKind: string;
  /** Names that the operator lets pass, `*` for any letters: secrets too, if they say so. */
  readonly pass: readonly string[];
  /** What the operator gives this agent, whatever it is. */
  readonly own?: Environment;
}

const passesAlways = openNamePattern(PASSING, { anyCase: true });
const isProxy = openNamePattern(PROXIES, { anyCase: true });

/** What an agent finds in its environment: what its work and its own vendor need, and what the operator says. Never the rest. */
export function agentEnvironment(base: Environment, { agentKind, pass, own = {} }: AgentWish): Environment {
  return { ...chosen(base, [openNamePattern(pass), openNamePattern(variablesOfVendor(agentKind, base))]), ...own };
}

/** What a gate finds: the same, without the keys of anybody. It runs what the agent wrote. */
export function gateEnvironment(base: Environment, { pass }: Pick<AgentWish, 'pass'>): Environment {
  return chosen(base, [openNamePattern(pass)]);
}

/** Whatever is meant for it, and else what is of use to all and carries no secret. */
function chosen(base: Environment, meant: readonly ((name: string) => boolean)[]): Environment {
  const passes = ([name, value]: readonly [string, string]) =>
    meant.some((isMeant) => isMeant(name)) || isProxy(name) || (passesAlways(name) && !carriesASecret(name, value));
  return Object.fromEntries(Object.entries(base).filter(passes));
}
