import type { Writer } from '../journal/events/sitting.ts';
import { identityOf } from '../process/identity.ts';

/** Identifies this process so that another process with the same pid is not mistaken for it. */
export function thisProcess(): Writer {
  const identity = identityOf(process.pid);
  if (!identity) throw new Error('This process is not in the process table.');
  return { host: identity.host, boot_id: identity.bootId, pid: identity.pid, start_time: identity.startTime };
}
