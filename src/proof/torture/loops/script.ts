import type { Change } from '../figures/case-file.ts';

/** The script of the agent, packed into its first argument. */
export interface Script {
  readonly change: Change;
  /** Its last message. */
  readonly say: string;
  /** How long it takes: some loops treat an agent that answers at once as broken. */
  readonly takesMs: number;
}
