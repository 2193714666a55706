import type { Change } from '../figures/case-file.ts';

/** What the scripted agent is given, packed into its first argument. */
export interface Script {
  readonly change: Change;
  /** Its last words. */
  readonly say: string;
  /** Some loops take an agent that answers at once for a broken one. */
  readonly takesMs: number;
}
