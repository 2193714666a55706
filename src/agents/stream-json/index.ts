import type { AgentDefinition } from '../agent-definition.ts';
import { ANY_COMMAND, callAnyCommand } from '../command-words.ts';
import { openStreamJsonParser } from './stream-json.ts';

/** Any command that prints Claude Code's stream-json: wrappers, and our own demo agent. Chosen by name, never guessed. */
export const streamJson: AgentDefinition = {
  ...ANY_COMMAND,
  name: 'stream-json',
  outputFormat: 'events',
  call: (spec) => callAnyCommand('A stream-json command', spec),
  openParser: openStreamJsonParser,
};
