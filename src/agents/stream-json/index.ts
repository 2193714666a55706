import type { AgentCall, AgentDefinition, CallSpec } from '../agent-definition.ts';
import { refuseModel } from '../command-words.ts';
import { openStreamJsonParser } from './stream-json.ts';

/** Any command that prints Claude Code's stream-json: wrappers, and our own demo agent. Chosen by name, never guessed. */
export const streamJson: AgentDefinition = {
  name: 'stream-json',
  matches: () => false,
  outputFormat: 'events',
  call: callWrapper,
  openParser: openStreamJsonParser,
  stopWith: 'interrupt',
  // Some wrappers do, but that cannot be known beforehand.
  reportsCost: false,
};

/** Only the operator's own flags: we do not know what the wrapper needs. */
function callWrapper({ model, flags, promptFile }: CallSpec): AgentCall {
  refuseModel('A stream-json command', model);
  return { args: flags, env: { RALPH_PROMPT_FILE: promptFile } };
}
