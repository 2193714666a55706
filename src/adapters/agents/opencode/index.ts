import type { AgentDefinition } from '../agent-definition.ts';
import { callOpencode } from './call.ts';
import { openOpencodeParser } from './parse.ts';

/** opencode. It cleans up on no signal, so none is tried before the group is told to go. */
export const opencode: AgentDefinition = {
  name: 'opencode',
  matches: (commandName) => commandName === 'opencode',
  speaks: 'events',
  call: callOpencode,
  openParser: openOpencodeParser,
  stopWith: 'terminate',
};
