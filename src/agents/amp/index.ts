import type { AgentCall, AgentDefinition, CallSpec, KnownFlags } from '../agent-definition.ts';
import { refuseModel } from '../command-words.ts';
import { openStreamJsonParser } from '../stream-json/stream-json.ts';

/**
 * Amp, whose help calls its stream compatible with Claude Code's. We have never run it: it cannot be pointed at a local model. So no stream of it is recorded,
 * and the call is checked only as far as its option parser.
 */
export const amp: AgentDefinition = {
  name: 'amp',
  matches: (commandName) => commandName === 'amp',
  outputFormat: 'events',
  textUnless: ['--stream-json', '--stream-json-thinking', '--stream-json-input'],
  call: callAmp,
  openParser: openStreamJsonParser,
  stopWith: 'interrupt',
  reportsCost: false,
  helpArgs: ['--help'],
};

const ALLOW_ALL = '--dangerously-allow-all';

/**
 * `-x` without a message reads stdin. It comes last, so that no flag's value is taken for the message. Older versions need the allow-all flag; newer ones act
 * without asking and no longer name it in their help.
 */
function callAmp({ output, autonomy, model, flags }: CallSpec, known: KnownFlags): AgentCall {
  refuseModel('amp', model);
  const allowsAll = autonomy === 'full' && !flags.includes(ALLOW_ALL) && (known === null || known.has(ALLOW_ALL));
  const format = output === 'text' ? [] : ['--stream-json'];
  return { args: [...(allowsAll ? [ALLOW_ALL] : []), ...format, ...flags, '-x'], env: {} };
}
