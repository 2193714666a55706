import type { AgentDefinition } from '../agent-definition.ts';
import { callGemini } from './call.ts';
import { openGeminiParser } from './parse.ts';

/** Gemini CLI. It ignores SIGINT as well as SIGTERM, so the shorter way to SIGKILL is taken. */
export const gemini: AgentDefinition = {
  name: 'gemini',
  matches: (commandName) => commandName === 'gemini',
  speaks: 'events',
  call: callGemini,
  openParser: openGeminiParser,
  stopWith: 'terminate',
};
