import type { AgentDefinition } from '../agent-definition.ts';
import { callGemini } from './call.ts';
import { openGeminiParser } from './parse.ts';

/**
 * Gemini CLI. It ignores SIGINT as well as SIGTERM, so the shorter way to SIGKILL is taken. Its plain output (no `--output-format`; read
 * in its source, never run by us) holds all it says between its tools, so its last word can be told only from its events.
 */
export const gemini: AgentDefinition = {
  name: 'gemini',
  matches: (commandName) => commandName === 'gemini',
  speaks: 'events',
  call: callGemini,
  openParser: openGeminiParser,
  stopWith: 'terminate',
  reportsCost: false,
};
