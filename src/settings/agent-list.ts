import { agentPrograms } from '../agents/definitions.ts';
import { definitionOfKind } from '../agents/find-definition.ts';
import { didYouMean } from '../kit/pure/did-you-mean.ts';
import { deepMerge } from '../kit/pure/json-objects.ts';
import { OperatorError } from '../kit/pure/operator-error.ts';
import { agentName, agentsIn, hasSeveralAgents } from '../limits/agents.ts';
import type { Workspace } from '../workspace/workspace.ts';
import { agentOf, checkAgent, type NamedAgent } from './agent-of.ts';
import type { RunSettings } from './schema/run-settings.ts';
import type { AgentSpec } from './schema/sandbox-spec.ts';
import { type CompleteSettings, DEFAULTS } from './schema/settings-defaults.ts';

/** The agents that take over, by the names of their profiles or by their commands. The agent of the run itself is left out; it goes first anyway. */
export function fallbackOf(names: readonly string[] = [], first: AgentSpec, profiles: CompleteSettings['agents'] = {}): Pick<RunSettings, 'fallback'> {
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) throw listed(`the agent "${twice}" is listed twice`, 'Name each agent once.');
  const others = names.filter((name) => name !== agentName(first)).map((name) => specOf(name, first, profiles));
  return others.length === 0 ? {} : { fallback: others };
}

/** The autonomy is that of the run; flags and model belong to each agent alone. */
function specOf(name: string, { command, autonomy }: AgentSpec, profiles: NonNullable<CompleteSettings['agents']>): AgentSpec {
  const profile = Object.hasOwn(profiles, name) ? profiles[name] : undefined;
  if (profile === undefined) return agentOf({ ...DEFAULTS.agent, command: name, autonomy });
  const agent = deepMerge({ ...DEFAULTS.agent, command, autonomy }, profile) as NamedAgent;
  return { name, ...agentOf(agent) };
}

/** `--agents claude,codex`, in the operator's order. */
export function agentsInFlag(text: string): readonly string[] {
  const names = text.split(',').map((name) => name.trim());
  if (names.includes('')) throw listed('--agents must be names of agents with commas between them', 'For example: --agents claude,codex');
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) throw listed(`--agents names "${twice}" twice`, 'Name each agent once.');
  return names;
}

const listed = (message: string, hint: string) => new OperatorError('usage', message, { hint, exitCode: 2 });

type Place = Pick<Workspace, 'cwd' | 'env' | 'git'>;

/** Leaves out the agents that cannot be started, with a warning, as long as one can. A name that nobody knows is refused: it is a mistake. */
export async function withUsableAgents<S extends RunSettings>(settings: S, place: Place, warn: (text: string) => void): Promise<S> {
  if (!hasSeveralAgents(settings)) {
    await checkAgent(settings, place);
    return settings;
  }
  const checked = await Promise.all(agentsIn(settings).map(async (agent) => ({ agent, error: await whyUnusable(agent, settings, place) })));
  const usable = checked.filter(({ error }) => error === null).map(({ agent }) => agent);
  for (const { agent, error } of checked) {
    if (error === null) continue;
    if (!isKnown(agent)) throw unknown(agent);
    if (usable.length === 0) throw error;
    warn(leftOutText(agent, `${error.message}. ${error.hint}`));
  }
  return withAgents(settings, usable);
}

async function whyUnusable(agent: AgentSpec, settings: RunSettings, place: Place): Promise<OperatorError | null> {
  try {
    await checkAgent({ ...settings, agent }, place);
    return null;
  } catch (error) {
    if (error instanceof OperatorError) return error;
    throw error;
  }
}

export const leftOutText = (agent: AgentSpec, why: string) => `${agentName(agent)} is left out: ${why}`;

/** The same run with only these agents; at least one. */
export function withAgents<S extends RunSettings>({ fallback: _, ...settings }: S, [agent, ...others]: readonly AgentSpec[]): S {
  return { ...settings, agent: agent ?? settings.agent, ...(others.length > 0 && { fallback: others }) } as S;
}

/** A profile, an agent that Ralph knows, or a path. */
function isKnown({ name, command, kind }: AgentSpec): boolean {
  return name !== undefined || definitionOfKind(kind).program !== null || /[\\/]/.test(command);
}

function unknown(agent: AgentSpec): OperatorError {
  const near = didYouMean(agent.command, agentPrograms);
  const hint = near === null ? `Ralph knows ${agentPrograms.join(', ')}; any other must be on PATH or in agents.` : `Did you mean ${near}?`;
  return listed(`there is no agent "${agentName(agent)}"`, hint);
}
