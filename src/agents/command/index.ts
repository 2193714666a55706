import type { AgentCall, AgentDefinition, CallSpec } from '../agent-definition.ts';
import { refuseModel } from '../command-words.ts';
import { openPlainParser } from '../plain-text.ts';

/** Any other command: what no definition before it matches. */
export const command: AgentDefinition = {
  name: 'command',
  matches: () => true,
  speaks: 'lines',
  call: callCommand,
  openParser: openPlainParser,
  stopWith: 'interrupt',
  reportsCost: false,
};

/** Nothing but the operator's own flags; the prompt comes on stdin, and its file is named for commands that want one. */
function callCommand({ model, flags, promptFile }: CallSpec): AgentCall {
  refuseModel('This command', model);
  return { args: flags, env: { RALPH_PROMPT_FILE: promptFile } };
}
