import type { AgentCall, AgentDefinition, CallSpec } from '../agent-definition.ts';
import { refuseModel } from '../command-words.ts';
import { openPlainParser } from '../plain-text.ts';

/** Any other command: one that no other definition matches. */
export const command: AgentDefinition = {
  name: 'command',
  matches: () => true,
  outputFormat: 'lines',
  call: callCommand,
  openParser: openPlainParser,
  stopWith: 'interrupt',
  reportsCost: false,
};

/** Only the operator's own flags. The prompt comes on stdin, and its file is named for commands that want one. */
function callCommand({ model, flags, promptFile }: CallSpec): AgentCall {
  refuseModel('This command', model);
  return { args: flags, env: { RALPH_PROMPT_FILE: promptFile } };
}
