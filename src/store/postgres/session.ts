import { formatDuration } from '../../kit/pure/amounts.ts';
import { OperatorError } from '../../kit/pure/operator-error.ts';
import type { Database, Query } from './open-database.ts';

export type FleetMode = 'running' | 'paused' | 'draining';

/** This process, as the other machines see it. It lives as long as it can prove so to the database, and never begins again once it is over. */
export interface Session extends AsyncDisposable {
  readonly id: string;
  /** Aborts, with an OperatorError as its reason, before others may take what this process holds. */
  readonly gone: AbortSignal;
  /** Waits for a database that cannot be reached, as long as the session lives. */
  readonly query: Query;
  /** Ends it with that reason. */
  over(why: string): never;
  /** What the fleet asks of its workers: called on every change. */
  onMode(listener: (mode: FleetMode) => void): void;
}

interface SessionOptions {
  readonly fleet: string;
  readonly id: string;
  readonly run: string;
  readonly host: string;
  /** What `ralph fleet workers` shows of it. */
  readonly about: object;
  readonly leaseMs: number;
}

/** A third of the lease is for ending agents, before anybody else may begin. */
const MARGIN = 3;
/** So that a few lost messages do no harm. */
const BEATS = 6;

export async function openSession(database: Database, options: SessionOptions): Promise<Session> {
  const { fleet, id, leaseMs } = options;
  let aliveMs = performance.now();
  await begin(database, options);
  const controller = new AbortController();
  const listeners: ((mode: FleetMode) => void)[] = [];
  let mode: FleetMode = 'running';
  const patienceMs = () => aliveMs + leaseMs - leaseMs / MARGIN - performance.now();
  const lose = (why: string): OperatorError => {
    if (!controller.signal.aborted) controller.abort(lost(why));
    return controller.signal.reason as OperatorError;
  };
  let trouble = '';
  const beat = async () => {
    const sentMs = performance.now();
    const rows = await database.query('select mode from ralph.beat($1, $2)', [fleet, id]).catch((error: Error) => {
      trouble = error.message;
      return null;
    });
    if (rows === null) return;
    if (rows.length === 0) lose('its lease in the store has run out, as after a long sleep of the machine');
    aliveMs = sentMs;
    trouble = '';
    const asked = rows[0]?.['mode'] as FleetMode | undefined;
    if (asked === undefined || asked === mode) return;
    mode = asked;
    for (const listener of listeners) listener(mode);
  };

  let isBeating = false;
  const look = () => {
    if (patienceMs() <= 0) lose(`${trouble || `the store ${database.name} does not answer`}, for ${formatDuration(leaseMs - leaseMs / MARGIN)} now`);
    if (isBeating || controller.signal.aborted) return;
    isBeating = true;
    void beat().finally(() => {
      isBeating = false;
    });
  };
  const timer = setInterval(look, leaseMs / BEATS);
  look();

  return {
    id,
    gone: controller.signal,
    async query(text, values) {
      try {
        return await database.query(text, values, patienceMs);
      } catch (error) {
        throw patienceMs() <= 0 ? lose((error as Error).message) : error;
      }
    },
    over: (why) => {
      throw lose(why);
    },
    onMode(listener) {
      listeners.push(listener);
      if (mode !== 'running') listener(mode);
    },
    async [Symbol.asyncDispose]() {
      clearInterval(timer);
      // Whoever cannot say so is believed dead when the lease has run out.
      await database.query('select ralph.finish($1, $2)', [fleet, id]).catch(() => []);
    },
  };
}

async function begin(database: Database, { fleet, id, run, host, about }: SessionOptions): Promise<void> {
  const [made] = await database.query('select ralph.begin($1, $2, $3, $4, $5)', [fleet, id, run, host, JSON.stringify(about)]);
  if (made !== undefined) return;
  throw new OperatorError('session-over', 'this process has worked for the fleet before, and its time is over', { hint: 'Start a new process.', exitCode: 4 });
}

function lost(why: string): OperatorError {
  return new OperatorError('store-lost', `this worker has lost the fleet and has ended its agents: ${why}`, {
    hint: 'Others go on with its tasks. When the store is there again, continue with: ralph runs resume',
    exitCode: 4,
  });
}
