import type { Clock, CrewPorts } from '../../engine/ports/ports.ts';
import type { Register } from '../../engine/ports/stores.ts';
import { Holder } from '../../journal/words/task-register.ts';

const SHORTEST_LOOK_MS = 50;
const LONGEST_LOOK_MS = 250;
/** A holder that cannot be looked at, on another machine say, is waited for this long: the base is safe without the seat, its ref is only moved from what it was. */
const UNSEEN_HOLDER_MS = 15 * 60_000;

/** Where results are merged one at a time. Disposing it gives it free. */
export type MergeSeat = AsyncDisposable;

interface SeatPorts {
  readonly crew: Pick<CrewPorts, 'registers' | 'process' | 'livenessOf'>;
  readonly clock: Clock;
}

interface SeatWish {
  /** The branch whose base is merged to. */
  readonly base: string;
  readonly run: string;
  /** Names the effect within the run. */
  readonly key: string;
}

/** Who sits in this process. A seat that bears our process and is not here was never given free: the disk refused. */
const seated = new Set<string>();

/** Waits for all who came before: those of this process in the order they came, those of others as long as they live. Null: the signal was faster. */
export async function takeMergeSeat(ports: SeatPorts, { base, run, key }: SeatWish, signal: AbortSignal): Promise<MergeSeat | null> {
  const { crew } = ports;
  const register = `merge/${base}`;
  const leave = await standInLine(crew.registers, register, signal);
  if (leave === null) return null;
  const holder: Holder = { name: `${run}/${key}`, run, lane: null, process: crew.process };
  seated.add(holder.name);
  const giveFree = async (n: number | null) => {
    try {
      if (n !== null) await crew.registers.put(register, n + 1, null);
    } finally {
      seated.delete(holder.name);
      leave();
    }
  };
  try {
    const n = await sitDown(ports, register, holder, signal);
    if (n !== null) return { [Symbol.asyncDispose]: () => giveFree(n) };
    await giveFree(null);
    return null;
  } catch (error) {
    await giveFree(null);
    throw error;
  }
}

/** The number it is held by. */
async function sitDown({ crew, clock }: SeatPorts, register: string, holder: Holder, signal: AbortSignal): Promise<number | null> {
  const isVacant = vacancy(crew, clock);
  let lookMs = SHORTEST_LOOK_MS;
  while (!signal.aborted) {
    const found = await crew.registers.get(register);
    const n = (found?.n ?? 0) + 1;
    if (isVacant(found) && (await crew.registers.put(register, n, holder)) === 'put') return n;
    await clock.sleepUntil(clock.nowMs() + lookMs, signal);
    lookMs = Math.min(lookMs * 2, LONGEST_LOOK_MS);
  }
  return null;
}

/** What cannot be read was put by nobody who will give it free. */
function vacancy({ process, livenessOf }: SeatPorts['crew'], clock: Clock): (found: Register | null) => boolean {
  let unseen: { readonly n: number; readonly sinceMs: number } | null = null;
  return (found) => {
    const holder = Holder.safeParse(found?.value).data;
    if (!found || !holder?.process) return true;
    if (isSame(holder.process, process)) return !seated.has(holder.name);
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

/** The ends of the lines, by what they are for and by name. */
const lines = new WeakMap<object, Map<string, Promise<void>>>();

/** First come, first served, within this process. Resolves with what lets the next one go, or with null when the signal was faster. */
async function standInLine(forWhat: object, name: string, signal: AbortSignal): Promise<(() => void) | null> {
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

/** Leaves nothing on a signal that lives longer than the wait. */
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
