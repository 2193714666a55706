import type { EventBody, JournalEvent } from '../../src/journal/events/journal-event.ts';
import type { RunSettings } from '../../src/settings/schema/run-settings.ts';

export const writer = { host: 'h', boot_id: 'b', pid: 1, start_time: '1' };

/** The first event of every journal. */
export function runStarted(settings: RunSettings): Extract<EventBody, { type: 'run.started' }> {
  return { type: 'run.started', run: 'r', ralph: '0.0.0', cwd: '.', origin: '.', settings, sources: [], found: null, writer };
}

/** Event bodies as journal events, a second apart. */
export function given(...bodies: readonly EventBody[]): readonly JournalEvent[] {
  return bodies.map((body, index) => ({ v: 1, seq: index + 1, at: 1_000 * (index + 1), body }));
}
