import type { AgentDefinition } from '../agent-definition.ts';
import { openPlainParser } from '../plain-text.ts';
import { callCommand } from './call.ts';

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
