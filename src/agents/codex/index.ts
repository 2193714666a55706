import type { AgentDefinition } from '../agent-definition.ts';
import { callCodex, eventFlags, judgeCodex } from './call.ts';
import { openCodexParser } from './parse.ts';

/** Codex CLI. Which sandbox flag it takes depends on its version, so it is asked. */
export const codex: AgentDefinition = {
  name: 'codex',
  matches: (commandName) => commandName === 'codex',
  speaks: 'events',
  textUnless: eventFlags,
  call: callCodex,
  openParser: openCodexParser,
  judge: judgeCodex,
  stopWith: 'interrupt',
  reportsCost: false,
  helpArgs: ['exec', '--help'],
};
