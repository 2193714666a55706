import type { AgentCall, CallSpec } from '../agent-definition.ts';
import { refuseModel } from '../command-words.ts';

/** Nothing but the operator's own flags: what the wrapper needs is its own business. */
export function callWrapper({ model, flags, promptFile }: CallSpec): AgentCall {
  refuseModel('A stream-json command', model);
  return { args: flags, env: { RALPH_PROMPT_FILE: promptFile } };
}
