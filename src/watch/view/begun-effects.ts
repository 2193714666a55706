import type { JournalEvent } from '../../journal/events/journal-event.ts';

/** What is in flight, and how long nothing was: a usage limit, a pause, or no process at all. */
export interface BegunEffects {
  add(event: JournalEvent): void;
  /** When each effect that is in flight began, by its key. */
  readonly begunMs: ReadonlyMap<string, number>;
  idleMs(nowMs: number): number;
}

export function openBegunEffects(): BegunEffects {
  const begunMs = new Map<string, number>();
  let [idleMs, lastMs] = [0, 0];
  return {
    begunMs,
    add({ body, at }) {
      // Whatever was in flight when a loop died was ended with it.
      if (lastMs > 0 && (begunMs.size === 0 || body.type === 'run.resumed')) idleMs += Math.max(0, at - lastMs);
      lastMs = Math.max(lastMs, at);
      if (body.type === 'effect.begun') begunMs.set(body.key, at);
      else if ('key' in body) begunMs.delete(body.key);
    },
    idleMs: (nowMs) => idleMs + (begunMs.size === 0 ? Math.max(0, nowMs - lastMs) : 0),
  };
}
