import type { AgentCall, CallSpec, KnownFlags } from '../agent-definition.ts';
import { refuseModel } from '../command-words.ts';

const ALLOW_ALL = '--dangerously-allow-all';

/**
 * `-x` without a message reads stdin, and stands last so that no flag's value is taken for the message. Older versions need the
 * allow-all flag; newer ones act without asking and no longer name it in their help.
 */
export function callAmp({ output, autonomy, model, flags }: CallSpec, known: KnownFlags): AgentCall {
  refuseModel('amp', model);
  const allowsAll = autonomy === 'full' && !flags.includes(ALLOW_ALL) && (known === null || known.has(ALLOW_ALL));
  const format = output === 'text' ? [] : ['--stream-json'];
  return { args: [...(allowsAll ? [ALLOW_ALL] : []), ...format, ...flags, '-x'], env: {} };
}
