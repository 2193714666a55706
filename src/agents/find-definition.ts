import { didYouMean } from '../kit/pure/did-you-mean.ts';
import { OperatorError } from '../kit/pure/operator-error.ts';
import { shellQuote } from '../kit/pure/shell-words.ts';
import { findExecutable } from '../process/find-executable.ts';
import type { AgentSpec } from '../settings/schema/sandbox-spec.ts';
import type { AgentDefinition, TaskNeeds } from './agent-definition.ts';
import { wordsOf } from './command-words.ts';
import { agentPrograms, definitions, plainCommand } from './definitions.ts';

/** The definition that matches this command's name; an unknown command is a plain one. */
export function definitionFor(commandLine: string): AgentDefinition {
  const name = commandName(commandLine);
  return definitions.find(({ program }) => program === name) ?? plainCommand;
}

/** The definition of a run's agent; a plain command for one that has none, such as a function. */
export function definitionOfKind(kind: string): AgentDefinition {
  return definitions.find(({ name }) => name === kind) ?? plainCommand;
}

export function definitionNamed(name: string): AgentDefinition {
  const found = definitions.find((definition) => definition.name === name);
  if (found !== undefined) return found;
  const names = definitions.map((definition) => definition.name);
  const near = didYouMean(name, names);
  const hint = near === null ? `Choose one of ${names.join(', ')}.` : `Did you mean ${near}? There are ${names.join(', ')}.`;
  throw new OperatorError('unknown-agent', `There is no agent called "${name}".`, { hint, exitCode: 2 });
}

/** Lower-case basename without `.exe`, on either kind of path. */
export function commandName(commandLine: string): string {
  const file = wordsOf(commandLine)[0] ?? '';
  const basename = file.split(/[\\/]/).at(-1) ?? '';
  return basename.toLowerCase().replace(/\.exe$/, '');
}

export interface Where {
  readonly path: string;
  readonly cwd: string;
}

/** Which agents are on PATH, in order of preference. They are not run. */
export async function findAgents(where: Where): Promise<readonly string[]> {
  const found = await Promise.all(agentPrograms.map((name) => findExecutable(name, where)));
  return agentPrograms.filter((_, index) => found[index] !== null);
}

/** Adds the flags that an agent needs to work on a task. The operator's flags come last, and win. */
export function withTaskFlags(agent: AgentSpec, needs: Omit<TaskNeeds, 'autonomy'>): AgentSpec {
  const flags = definitionNamed(agent.kind).taskFlags({ ...needs, autonomy: agent.autonomy });
  return { ...agent, flags: [...flags.map(shellQuote), ...agent.flags] };
}
