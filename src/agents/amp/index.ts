import type { AgentDefinition } from '../agent-definition.ts';
import { openStreamJsonParser } from '../stream-json/stream-json.ts';
import { callAmp } from './call.ts';

/**
 * Amp, whose help calls its stream compatible with Claude Code's. Never run by us: it cannot be pointed at a local model, so no
 * stream of it is recorded, and the call is checked only as far as its option parser.
 */
export const amp: AgentDefinition = {
  name: 'amp',
  matches: (commandName) => commandName === 'amp',
  speaks: 'events',
  textUnless: ['--stream-json', '--stream-json-thinking', '--stream-json-input'],
  call: callAmp,
  openParser: openStreamJsonParser,
  stopWith: 'interrupt',
  reportsCost: false,
  helpArgs: ['--help'],
};
