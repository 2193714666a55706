import type { ProcessIdentity } from '../../process/process-ending.ts';

/** Ends what a dead loop left running. */
export interface ProcessesPort {
  /** Ends the named processes with all that came from them, and every other one that carries this run's marker. Strangers are never touched. */
  reap(known: readonly ProcessIdentity[]): Promise<void>;
}
