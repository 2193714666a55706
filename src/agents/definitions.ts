import type { AgentDefinition } from './agent-definition.ts';
import { amp } from './amp/index.ts';
import { claude } from './claude/index.ts';
import { codex } from './codex/index.ts';
import { command } from './command/index.ts';
import { gemini } from './gemini/index.ts';
import { opencode } from './opencode/index.ts';
import { streamJson } from './stream-json/index.ts';

/** Every agent we can run, in the order in which they are looked for and offered. A new one is its import and its place here. */
export const definitions: readonly AgentDefinition[] = [claude, codex, amp, opencode, gemini, streamJson, command];

/** The definition for an unknown command. */
export const plainCommand = command;

/** The commands of all agents, in order of preference. */
export const agentPrograms: readonly string[] = definitions.flatMap(({ program }) => program ?? []);

/** The help of every option that names an agent. */
export const AGENT_HELP = `${agentPrograms.join(', ')} or any other command (the first of these on PATH)`;
