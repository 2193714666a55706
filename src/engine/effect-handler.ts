import type { Effect } from '../journal/effects/effect.ts';
import type { EventBody, Fact } from '../journal/events/journal-event.ts';
import type { Ports } from './ports/ports.ts';

/** Journals something before the effect has ended: a pid, a limit seen. Resolves when it is written. */
export type Report = (event: EventBody) => Promise<void>;

/** One effect's two sides: doing it, and finding out what came of it if we died inside. */
export interface EffectHandler<E extends Effect> {
  /** Does it, and resolves with the fact. After an abort it still resolves with the fact, once nothing is left running. */
  perform(effect: E, ports: Ports, report: Report, signal: AbortSignal): Promise<Fact>;
  /** The fact, if it happened; null if it did not and may be done again. What the dead loop had running was ended before. */
  find(effect: E, ports: Ports): Promise<Fact | null>;
}
