import type { Bus } from '../../src/engine/ports/supervision.ts';
import type { BusMessage, NewBusMessage } from '../../src/journal/messages.ts';

/** A bus in memory; honours the bus's contract (test/contracts/bus.ts). What it was given is there to be looked at. */
export function memoryBus(path = 'MESSAGE-BUS.md'): Bus & { readonly messages: readonly BusMessage[] } {
  const messages: BusMessage[] = [];
  return {
    path,
    messages,
    async post(message) {
      const msg_id = `MSG-${messages.length + 1}`;
      messages.push(structuredClone(stamped(message, msg_id)));
      return msg_id;
    },
    last: async (count) => (count > 0 ? messages.slice(-count) : []),
    async since(id) {
      const index = messages.findIndex(({ msg_id }) => msg_id === id);
      return index === -1 ? null : messages.slice(index + 1);
    },
    async bytesSince(id) {
      const index = messages.findIndex(({ msg_id }) => msg_id === id);
      return index === -1 ? null : JSON.stringify(messages.slice(index + 1)).length - '[]'.length;
    },
  };
}

function stamped(message: NewBusMessage, msg_id: string): BusMessage {
  const issue = message.type === 'ISSUE' && message.issue_id === undefined ? { issue_id: msg_id } : {};
  return { ...message, ...issue, msg_id, ts: '2026-01-01T00:00:00.000Z' };
}
