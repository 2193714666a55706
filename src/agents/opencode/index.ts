import type { AgentCall, AgentDefinition, CallSpec } from '../agent-definition.ts';
import { openOpencodeParser } from './parse.ts';

/**
 * opencode. It cleans up on no signal, so none is tried before the group is told to go. Its plain output (`run` without `--format`;
 * read in its source, never run by us) holds all it says between its tools, so its last word can be told only from its events.
 */
export const opencode: AgentDefinition = {
  name: 'opencode',
  matches: (commandName) => commandName === 'opencode',
  speaks: 'events',
  call: callOpencode,
  openParser: openOpencodeParser,
  stopWith: 'terminate',
  reportsCost: true,
};

/** Without a message it reads stdin; one in argv would be put into quotes. Less than full autonomy is what its configuration allows. */
function callOpencode({ autonomy, model, flags }: CallSpec): AgentCall {
  const args = ['run', '--format', 'json', ...(autonomy === 'full' ? ['--auto'] : []), ...(model === null ? [] : ['--model', model]), ...flags];
  return { args, env: {} };
}
