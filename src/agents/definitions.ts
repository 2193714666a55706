import type { AgentDefinition } from './agent-definition.ts';
import { amp } from './amp/index.ts';
import { claude } from './claude/index.ts';
import { codex } from './codex/index.ts';
import { command } from './command/index.ts';
import { gemini } from './gemini/index.ts';
import { opencode } from './opencode/index.ts';
import { streamJson } from './stream-json/index.ts';

/** Every agent we can run; a new one is one more line. */
export const definitions: readonly AgentDefinition[] = [claude, codex, amp, opencode, gemini, streamJson, command];

/** The definition for an unknown command. */
export const plainCommand = command;
