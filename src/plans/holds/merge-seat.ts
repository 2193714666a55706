import type { Clock, WorkPorts } from '../../engine/ports/ports.ts';
import type { Register } from '../../engine/ports/stores.ts';
import { Holder } from '../../journal/words/task-register.ts';

const SHORTEST_LOOK_MS = 50;
const LONGEST_LOOK_MS = 250;
/**
 * How long to wait for a holder whose liveness is unknown, on another machine for example. The base is safe without the seat, because its ref is moved only
 * from its old value.
 */
const UNSEEN_HOLDER_MS = 15 * 60_000;

/** Lets one result at a time be merged. Disposing releases it. */
export type MergeSeat = AsyncDisposable;

interface SeatPorts {
  readonly work: Pick<WorkPorts, 'registers' | 'process' | 'livenessOf'>;
  readonly clock: Clock;
}

interface SeatRequest {
  /** The branch whose base is merged to. */
  readonly base: string;
  readonly run: string;
  /** The effect's key within the run. */
  readonly key: string;
}

/** Seats held by this process. A seat with our process that is not here was never released, because the disk refused the write. */
const heldSeats = new Set<string>();

/** Waits for everybody who came before: those of this process in order, those of others as long as they live. Null: the signal aborted first. */
export async function takeMergeSeat(ports: SeatPorts, { base, run, key }: SeatRequest, signal: AbortSignal): Promise<MergeSeat | null> {
  const { work } = ports;
  const register = `merge/${base}`;
  const leave = await waitInQueue(work.registers, register, signal);
  if (leave === null) return null;
  const holder: Holder = { name: `${run}/${key}`, run, lane: null, process: work.process };
  heldSeats.add(holder.name);
  const release = async (n: number | null) => {
    try {
      if (n !== null) await work.registers.put(register, n + 1, null);
    } finally {
      heldSeats.delete(holder.name);
      leave();
    }
  };
  try {
    const n = await takeSeat(ports, register, holder, signal);
    if (n !== null) return { [Symbol.asyncDispose]: () => release(n) };
    await release(null);
    return null;
  } catch (error) {
    await release(null);
    throw error;
  }
}

/** Returns the number it is held under. */
async function takeSeat({ work, clock }: SeatPorts, register: string, holder: Holder, signal: AbortSignal): Promise<number | null> {
  const isVacant = isFreeNow(work, clock);
  let lookMs = SHORTEST_LOOK_MS;
  while (!signal.aborted) {
    const found = await work.registers.get(register);
    const n = (found?.n ?? 0) + 1;
    if (isVacant(found) && (await work.registers.put(register, n, holder)) === 'put') return n;
    await clock.sleepUntil(clock.nowMs() + lookMs, signal);
    lookMs = Math.min(lookMs * 2, LONGEST_LOOK_MS);
  }
  return null;
}

/** Nobody will release a seat whose register cannot be read. */
function isFreeNow({ process, livenessOf }: SeatPorts['work'], clock: Clock): (found: Register | null) => boolean {
  let unseen: { readonly n: number; readonly sinceMs: number } | null = null;
  return (found) => {
    const holder = Holder.safeParse(found?.value).data;
    if (!found || !holder?.process) return true;
    if (isSame(holder.process, process)) return !heldSeats.has(holder.name);
    const liveness = livenessOf(holder.process);
    if (liveness !== 'unknown') return liveness === 'dead';
    if (unseen?.n !== found.n) unseen = { n: found.n, sinceMs: clock.nowMs() };
    return clock.nowMs() - unseen.sinceMs >= UNSEEN_HOLDER_MS;
  };
}

type HoldingProcess = NonNullable<Holder['process']>;

function isSame(a: HoldingProcess, b: HoldingProcess): boolean {
  return a.pid === b.pid && a.start_time === b.start_time && a.host === b.host && a.boot_id === b.boot_id;
}

/** The last waiter of each queue, by owner and name. */
const lines = new WeakMap<object, Map<string, Promise<void>>>();

/** First come, first served, within this process. Resolves with a function that releases the next waiter, or with null when the signal aborts first. */
async function waitInQueue(forWhat: object, name: string, signal: AbortSignal): Promise<(() => void) | null> {
  const ends = lines.get(forWhat) ?? new Map<string, Promise<void>>();
  lines.set(forWhat, ends);
  const before = ends.get(name) ?? Promise.resolve();
  let leave = () => {};
  const mine = new Promise<void>((resolve) => {
    leave = resolve;
  });
  ends.set(
    name,
    before.then(() => mine),
  );
  await firstOf(before, signal);
  if (!signal.aborted) return leave;
  leave();
  return null;
}

/** Removes its listener, because the signal may live longer than the wait. */
async function firstOf(turn: Promise<void>, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return;
  let stop = () => {};
  const aborted = new Promise<void>((resolve) => {
    stop = resolve;
  });
  signal.addEventListener('abort', stop, { once: true });
  await Promise.race([turn, aborted]);
  signal.removeEventListener('abort', stop);
}
