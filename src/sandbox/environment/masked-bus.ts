import type { Bus } from '../../engine/ports/bus.ts';
import type { HideSecrets } from '../../kit/pure/hide-secrets.ts';

/** The same bus for what the loop posts by itself: an agent's words, and the end of its stderr, may hold what nobody should read. */
export function maskedBus(bus: Bus, hide: HideSecrets): Bus {
  return { ...bus, post: (message) => bus.post({ ...message, body: hide(message.body) }) };
}
