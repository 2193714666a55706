import { EventEmitter, once } from 'node:events';
import type { ModelRequest } from './scenario.ts';

/** What agents asked of the model, for tests to look at and to wait on. */
export interface RequestLog {
  /** The requests the scenario answered, oldest first. */
  readonly requests: readonly ModelRequest[];
  /** What clients ask on the side (titles, probes): answered with a word, never counted as a turn. */
  readonly errands: readonly ModelRequest[];
  /** Requests that no dialect speaks, such as `GET /v1/models`; they got a 404. */
  readonly strays: readonly string[];
  /** Resolves once the nth request (from 1) has come, before it is answered; rejects when it does not come in time. */
  waitForRequest(nth: number, withinMs?: number): Promise<ModelRequest>;
}

export interface RequestLogWriter extends RequestLog {
  /** Returns the request's place in the scenario, from 0. */
  addRequest(request: ModelRequest): number;
  addErrand(request: ModelRequest): void;
  addStray(stray: string): void;
}

export function requestLog(): RequestLogWriter {
  const requests: ModelRequest[] = [];
  const errands: ModelRequest[] = [];
  const strays: string[] = [];
  const arrivals = new EventEmitter();
  return {
    requests,
    errands,
    strays,
    addRequest(request) {
      const index = requests.push(request) - 1;
      arrivals.emit('request');
      return index;
    },
    addErrand: (request) => void errands.push(request),
    addStray: (stray) => void strays.push(stray),
    async waitForRequest(nth, withinMs = 60_000) {
      const signal = AbortSignal.timeout(withinMs);
      for (;;) {
        const request = requests[nth - 1];
        if (request !== undefined) return request;
        await once(arrivals, 'request', { signal }).catch((cause: unknown) => {
          throw new Error(`request ${nth} did not come within ${withinMs} ms; ${requests.length} came`, { cause });
        });
      }
    },
  };
}
