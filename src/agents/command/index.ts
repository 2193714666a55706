import type { AgentDefinition } from '../agent-definition.ts';
import { ANY_COMMAND, callAnyCommand } from '../command-words.ts';
import { openPlainParser } from '../line-parser.ts';

/** Any other command: one that no other definition matches. */
export const command: AgentDefinition = {
  ...ANY_COMMAND,
  name: 'command',
  outputFormat: 'lines',
  call: (spec) => callAnyCommand('This command', spec),
  openParser: openPlainParser,
};
