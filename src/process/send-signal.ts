import { isAlive } from './identity.ts';
import type { ProcessIdentity } from './process-ending.ts';

/** To exactly this process: a stranger that was given its number is never met. */
export function sendSignal(identity: ProcessIdentity, signal: NodeJS.Signals): 'sent' | 'gone' | 'not ours' {
  if (!isAlive(identity)) return 'gone';
  try {
    process.kill(identity.pid, signal);
    return 'sent';
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH' ? 'gone' : 'not ours';
  }
}
