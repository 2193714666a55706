import { open } from 'node:fs/promises';
import { accountVariables, agentEnvironment } from '../../agents/agent-access.ts';
import type { AgentDefinition } from '../../agents/agent-definition.ts';
import type { AgentPlace, AgentPreflight } from '../../agents/agent-preflight.ts';
import { operatorWords, wordsOf } from '../../agents/command-words.ts';
import { commandName, definitionNamed } from '../../agents/find-definition.ts';
import { findExecutable } from '../../process/find-executable.ts';
import { FUNCTION_KIND } from '../../settings/agent-of.ts';
import { agentVariablesOf, reviewAgentOf } from '../../settings/schema/recipe-facts.ts';
import type { RunSettings } from '../../settings/schema/run-settings.ts';
import type { AgentSpec } from '../../settings/schema/sandbox-spec.ts';
import { realHome } from '../sandbox/why-not-isolated.ts';
import type { PlannedRun } from './finding.ts';

/** An agent CLI of a known vendor, whose login and model Ralph can look up. */
export interface VendorAgent {
  readonly spec: AgentSpec;
  readonly definition: AgentDefinition;
  readonly preflight: AgentPreflight;
  /** The program, with all links resolved. */
  readonly file: string;
  readonly place: AgentPlace;
}

/** All agents of a run that are commands. */
export function agentsOf(settings: RunSettings): readonly AgentSpec[] {
  const { agent, fallback = [] } = settings;
  const all = [agent, ...fallback, ...[reviewAgentOf(settings) ?? []].flat()];
  return all.filter(({ kind }) => kind !== FUNCTION_KIND);
}

/** Null for a plain command, for a script (it may start anything), and in docker, where the microVM has its own agent and login. */
export async function vendorAgent(spec: AgentSpec, { settings, workspace }: PlannedRun): Promise<VendorAgent | null> {
  const definition = definitionNamed(spec.kind);
  const { preflight, program } = definition;
  if (preflight === null || settings.wall.mode === 'docker' || settings.wall.login === 'none') return null;
  if (program !== commandName(spec.command)) return null;
  const hostEnv = { ...workspace.env, ...accountVariables(spec.env, workspace.env), ...agentVariablesOf(settings) };
  const [word = ''] = wordsOf(spec.command);
  const file = await findExecutable(word, { path: hostEnv['PATH'] ?? '', cwd: workspace.cwd });
  if (file === null || (await isOwnScript(file))) return null;
  const env = { ...agentEnvironment(workspace.env, { kind: spec.kind, pass: settings.wall.env.pass, env: spec.env }), ...agentVariablesOf(settings) };
  const place = { env, hostEnv, home: await realHome(), cwd: workspace.cwd, model: spec.model, flags: operatorWords(spec).slice(1) };
  return { spec, definition, preflight: await preflight(), file, place };
}

const HEAD_BYTES = 128;
/** asdf, mise, nodenv and claude's own installer start a program by a small script of theirs. */
const STARTER = /[\\/](?:shims|\.claude[\\/]local)[\\/][^\\/]+$/;

/** Whether the operator may have written the program. Vendors ship binaries, and packages that node runs. */
async function isOwnScript(file: string): Promise<boolean> {
  if (STARTER.test(file)) return false;
  try {
    await using handle = await open(file);
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0);
    const [first = ''] = buffer.toString('latin1', 0, bytesRead).split('\n', 1);
    return first.startsWith('#!') && !(/\b(?:node|bun|deno)\b/.test(first) && /[\\/]node_modules[\\/]/.test(file));
  } catch {
    return false;
  }
}
