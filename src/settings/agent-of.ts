import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { AgentDefinition } from '../agents/agent-definition.ts';
import { wordsOf } from '../agents/command-words.ts';
import { agentPrograms } from '../agents/definitions.ts';
import { definitionFor, definitionNamed } from '../agents/find-definition.ts';
import { openDescribedAgent } from '../agents/open-agent.ts';
import { didYouMean } from '../kit/pure/did-you-mean.ts';
import { deepMerge } from '../kit/pure/json-objects.ts';
import { OperatorError } from '../kit/pure/operator-error.ts';
import { findExecutable } from '../process/find-executable.ts';
import { secretsIn } from '../sandbox/environment/open-mask.ts';
import type { Workspace } from '../workspace/workspace.ts';
import { pathOf } from './sandbox-of-settings.ts';
import type { CompleteLoop } from './schema/loop-settings.ts';
import type { RunSettings } from './schema/run-settings.ts';
import { type CompleteSettings, DEFAULTS } from './schema/settings-defaults.ts';
import type { SettingsFile } from './schema/settings-file.ts';

/** An agent whose command is known. */
export type NamedAgent = CompleteSettings['agent'] & {
  readonly command: string;
  /** The name of its profile. */
  readonly name?: string;
  readonly onPath?: readonly string[];
};

/** The settings files, and the known agents on PATH if nobody has named one: the first of them works. */
export type SettingsHere = SettingsFile & { readonly agentsOnPath?: readonly string[] };

/** The profile every project has (seed 004). */
export const BUILD = 'build';

/** The kind of an agent that is a function, not a command. */
export const FUNCTION_KIND = 'function';

export function agentOf(agent: NamedAgent): RunSettings['agent'] {
  const { name, command, kind, flags, model, autonomy, onPath } = agent;
  const definition = kind === undefined ? definitionFor(command) : definitionNamed(kind);
  const env = accountOf(agent, definition);
  return {
    ...(name !== undefined && { name }),
    ...{ kind: definition.name, command, flags: [...flags], model: model ?? null, autonomy },
    ...(Object.keys(env).length > 0 && { env }),
    ...(onPath !== undefined && { onPath: [...onPath] }),
  };
}

/** The variables that choose the account of an agent. They are journaled, so a key must not be among them. */
function accountOf({ env = {}, configDir }: NamedAgent, { name, login }: AgentDefinition): Readonly<Record<string, string>> {
  const [key] = Object.entries(env).find(([variable, value]) => !value.startsWith('$') && secretsIn({ [variable]: value }).length > 0) ?? [];
  if (key !== undefined)
    throw account(`the key ${key} must not be in the settings`, `Keep it in a variable of your own, and name that: {"env": {"${key}": "$MY_${key}"}}.`);
  if (configDir === undefined) return env;
  if (login.movedBy === null) throw account(`${name} has no variable for configDir`, 'Name the variables of the account in env.');
  if (!/^[~/]/.test(configDir)) throw account(`configDir must be an absolute path, not ${JSON.stringify(configDir)}`, 'Begin it with / or ~/.');
  return { ...env, [login.movedBy]: pathOf(configDir, '/') };
}

const account = (message: string, hint: string) => new OperatorError('usage', message, { hint, exitCode: 2 });

/** The agent that the settings name, by its command or by its profile, else the first on PATH. The command line overrides all. Null: there is none. */
export function chosenAgent(file: SettingsHere, over: SettingsFile): NamedAgent | null {
  const { command: said, ...others } = { ...over.agent };
  const profiles = { ...file.agents, ...over.agents };
  const named = said ?? file.agent?.command ?? (profiles[BUILD]?.command && BUILD);
  const { agentsOnPath: [first] = [] } = file;
  const command = named ?? first;
  if (command === undefined) return null;
  const merged = (...all: readonly unknown[]) => all.reduce<unknown>(deepMerge, DEFAULTS.agent) as CompleteSettings['agent'];
  const profile = Object.hasOwn(profiles, command) ? profiles[command] : undefined;
  if (profile === undefined) return { ...merged(file.agent ?? {}, others), command, ...(named === undefined && { onPath: file.agentsOnPath }) };
  const program = profile.command ?? file.agent?.command ?? first;
  if (program === undefined) return null;
  // The flags and the model of another program are not meant for this one.
  return { ...merged(profile.command === undefined ? (file.agent ?? {}) : {}, profile, others), command: program, name: command };
}

export function noAgent(): OperatorError {
  return refused(
    `no agent is named, and none of ${agentPrograms.join(', ')} was found on PATH`,
    'Install one of them, or name another: --agent <command>, or {"agent": {"command": "…"}} in .ralph/settings.json.',
  );
}

/** An agent that is a function of the calling program. Only that program can run it. */
export function functionAgent({ agent, model }: Pick<CompleteLoop, 'agent' | 'model'>): RunSettings['agent'] {
  return { kind: FUNCTION_KIND, command: agent, flags: [], model: model ?? null, autonomy: 'full' };
}

/** Refuses an agent that cannot be started, before anything is written that would have to be undone. */
export async function checkAgent(settings: RunSettings, place: Pick<Workspace, 'cwd' | 'env' | 'git'>): Promise<void> {
  if (settings.agent.kind === FUNCTION_KIND) return;
  openDescribedAgent(settings, place);
  // The microVM has its own agent under the same name.
  if (settings.wall.mode === 'docker') return;
  const path = place.env['PATH'];
  const [file = ''] = wordsOf(settings.agent.command);
  // Without PATH the system uses its own default, which we do not know.
  if (path === undefined || (await findExecutable(file, { path, cwd: place.cwd })) !== null) return;
  throw /[\\/]/.test(file)
    ? await unusable(file, place.cwd)
    : refused(`the agent "${file}" was not found`, `${guessFor(file)}Install it, or name another with --agent; the directories of PATH were searched.`);
}

function guessFor(file: string): string {
  const near = didYouMean(file, agentPrograms);
  return near === null || near === file ? '' : `Did you mean ${near}? `;
}

async function unusable(file: string, cwd: string): Promise<OperatorError> {
  const found = await stat(resolve(cwd, file)).catch(() => null);
  if (found === null) return refused(`the agent "${file}" was not found`, 'Check the path; a relative path starts at the current directory.');
  if (found.isDirectory()) return refused(`the agent "${file}" is a directory`, 'Name a command.');
  return refused(`the agent "${file}" may not be executed`, `Make it executable (chmod +x), or name the program that runs it, such as: --agent "sh ${file}"`);
}

function refused(message: string, hint: string): OperatorError {
  return new OperatorError('agent-not-found', message, { hint, exitCode: 4 });
}
