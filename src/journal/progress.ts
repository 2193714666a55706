import type { GateSpec } from '../settings/schema/run-settings.ts';
import type { GateResult } from './events/gates.ts';

/** What the loop is doing, for views. It is not journaled: the fact that follows contains all of it. */
export type Progress = { readonly attempt: string } & (
  | { readonly type: 'gate.started'; readonly gate: GateSpec }
  | { readonly type: 'gate.ended'; readonly result: GateResult }
);
