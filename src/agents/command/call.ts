import type { AgentCall, CallSpec } from '../agent-definition.ts';
import { refuseModel } from '../command-words.ts';

/** Nothing but the operator's own flags; the prompt comes on stdin, and its file is named for commands that want one. */
export function callCommand({ model, flags, promptFile }: CallSpec): AgentCall {
  refuseModel('This command', model);
  return { args: flags, env: { RALPH_PROMPT_FILE: promptFile } };
}
