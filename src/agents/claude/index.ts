import type { AgentDefinition } from '../agent-definition.ts';
import { openStreamJsonParser } from '../stream-json/stream-json.ts';
import { callClaude, judgeClaude } from './call.ts';

/** Claude Code. Its flags have been the same for long, and asking for them would cost its start-up: it has no `helpArgs`. */
export const claude: AgentDefinition = {
  name: 'claude',
  matches: (commandName) => commandName === 'claude',
  speaks: 'events',
  // All but the first stop it with exit 1 beside any format but stream-json.
  textUnless: ['--output-format', '--input-format', '--include-partial-messages', '--replay-user-messages'],
  call: callClaude,
  openParser: openStreamJsonParser,
  judge: judgeClaude,
  stopWith: 'interrupt',
  reportsCost: true,
};
