import type { AgentCall, AgentDefinition, CallSpec } from '../agent-definition.ts';
import { refuseModel } from '../command-words.ts';
import { openStreamJsonParser } from './stream-json.ts';

/** Any command that speaks Claude Code's stream-json: wrappers, and our own demo agent. Chosen by name, never guessed. */
export const streamJson: AgentDefinition = {
  name: 'stream-json',
  matches: () => false,
  speaks: 'events',
  call: callWrapper,
  openParser: openStreamJsonParser,
  stopWith: 'interrupt',
  // Some wrappers do; nobody can tell before.
  reportsCost: false,
};

/** Nothing but the operator's own flags: what the wrapper needs is its own business. */
function callWrapper({ model, flags, promptFile }: CallSpec): AgentCall {
  refuseModel('A stream-json command', model);
  return { args: flags, env: { RALPH_PROMPT_FILE: promptFile } };
}
