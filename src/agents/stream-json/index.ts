import type { AgentDefinition } from '../agent-definition.ts';
import { callWrapper } from './call.ts';
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
