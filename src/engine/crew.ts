import type { Effect } from '../journal/effects/effect.ts';
import type { EventBody } from '../journal/events/journal-event.ts';
import { handlerOf } from '../runs/handlers.ts';
import type { Mailbox } from './mailbox.ts';
import type { Ports } from './ports/ports.ts';

/** News for the loop: an event to write down, or an error that is nobody's expected ending. */
export type Letter = { readonly kind: 'event'; readonly event: EventBody } | { readonly kind: 'broken'; readonly error: unknown };

/** The effects at work. The block that opened it is not left before the last of them has ended. */
export interface Crew extends AsyncDisposable {
  start(effect: Effect): void;
  cancel(key: string, cause: string): void;
}

export function openCrew(ports: Ports, mail: Mailbox<Letter>): Crew {
  const atWork = new Map<string, { readonly controller: AbortController; readonly done: Promise<void> }>();

  async function work(effect: Effect, signal: AbortSignal): Promise<void> {
    const report = async (event: EventBody) => void (await mail.post({ kind: 'event', event }));
    try {
      const { perform } = await handlerOf(effect);
      const fact = await perform(effect, ports, report, signal);
      atWork.delete(effect.key);
      await mail.post({ kind: 'event', event: fact });
    } catch (error) {
      atWork.delete(effect.key);
      await mail.post({ kind: 'broken', error });
    }
  }

  return {
    start(effect) {
      const controller = new AbortController();
      atWork.set(effect.key, { controller, done: work(effect, controller.signal) });
    },
    cancel(key, cause) {
      atWork.get(key)?.controller.abort(cause);
    },
    async [Symbol.asyncDispose]() {
      mail.close();
      const all = [...atWork.values()];
      for (const { controller } of all) controller.abort('the run is over');
      await Promise.allSettled(all.map(({ done }) => done));
    },
  };
}
