import type { AgentCall, AgentDefinition, CallSpec } from '../agent-definition.ts';
import { openGeminiParser } from './parse.ts';

/**
 * Gemini CLI. It ignores SIGINT as well as SIGTERM, so the shorter way to SIGKILL is taken. Its plain output (without `--output-format`; read in its source,
 * never run by us) contains everything it says between tool calls, so its last message can be told only from its events.
 */
export const gemini: AgentDefinition = {
  name: 'gemini',
  matches: (commandName) => commandName === 'gemini',
  outputFormat: 'events',
  call: callGemini,
  openParser: openGeminiParser,
  stopWith: 'terminate',
  reportsCost: false,
};

/** Without `-p` it reads stdin. `auto_edit` is from its documents, not tested here. */
function callGemini({ autonomy, model, flags }: CallSpec): AgentCall {
  const approval = { full: ['--approval-mode', 'yolo', '--skip-trust'], edits: ['--approval-mode', 'auto_edit', '--skip-trust'], ask: [] }[autonomy];
  return { args: ['--output-format', 'stream-json', ...approval, ...(model === null ? [] : ['--model', model]), ...flags], env: {} };
}
