import type { BusMessage } from '../../journal/bus-message.ts';
import type { Failure } from '../../journal/effects/effect.ts';

/** What the prompt of a supervised agent is made of. */
export interface RootPromptRequest {
  /** root: restarted until DONE is there. child: one life, asked for by another run. */
  readonly agent: 'root' | 'child';
  readonly project: string;
  readonly task: string;
  /** The id of the run. */
  readonly run: string;
  /** Of the task; absolute. */
  readonly folder: string;
  /** What stands in the agent's environment, in this order. */
  readonly variables: readonly (readonly [name: string, value: string])[];
  /** The operator's own words; empty for a command that needs none. */
  readonly text: string;
  readonly life: number;
  readonly maximum: number;
  /** Commands. */
  readonly checks: readonly string[];
  /** Null for the first life. */
  readonly previous: PreviousLife | null;
  /** The last ones of the task's bus, oldest first. */
  readonly messages: readonly BusMessage[];
  /** Why a DONE was refused. */
  readonly failures: readonly Failure[];
}

/** What is left of the life before. */
export interface PreviousLife {
  /** Its last words. */
  readonly tail: string;
  /** How it came to its end, as far as it said so itself; null when it did not. */
  readonly ended: string | null;
}
