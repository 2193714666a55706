import type { AgentCall, AgentDefinition, CallSpec } from '../agent-definition.ts';
import { openOpencodeParser } from './parse.ts';

/**
 * opencode. It does not clean up on any signal, so none is tried before its process group is terminated. Its plain output (`run` without `--format`; read in
 * its source, never run by us) contains everything it says between tool calls, so its last message can be told only from its events.
 */
export const opencode: AgentDefinition = {
  name: 'opencode',
  matches: (commandName) => commandName === 'opencode',
  outputFormat: 'events',
  call: callOpencode,
  openParser: openOpencodeParser,
  stopWith: 'terminate',
  reportsCost: true,
};

/** Without a message it reads stdin; a message in argv would be quoted. Autonomy below full is left to its configuration. */
function callOpencode({ autonomy, model, flags }: CallSpec): AgentCall {
  const args = ['run', '--format', 'json', ...(autonomy === 'full' ? ['--auto'] : []), ...(model === null ? [] : ['--model', model]), ...flags];
  return { args, env: {} };
}
