/** Keeps a stream that nobody could read from costing more than it is worth: a bucket that fills with time and empties with lines. */
export interface FloodGate {
  /** Whether the next event is shown. Once it is shut, it stays shut until a good part of a screenful has come together. */
  opensFor(nowMs: number): boolean;
  /** So many lines were shown. */
  passed(lines: number): void;
  /** How many events were not shown since this was last asked. */
  heldBack(): number;
}

export interface FloodLimits {
  readonly burstLines: number;
  readonly linesPerSecond: number;
}

export function openFloodGate({ burstLines, linesPerSecond }: FloodLimits, startMs: number): FloodGate {
  let room = burstLines;
  let filledMs = startMs;
  let open = true;
  let held = 0;
  return {
    opensFor(nowMs) {
      room = Math.min(burstLines, room + (Math.max(0, nowMs - filledMs) / 1000) * linesPerSecond);
      filledMs = nowMs;
      open = room >= (open ? 1 : burstLines / 4);
      if (!open) held += 1;
      return open;
    },
    passed(lines) {
      room -= lines;
    },
    heldBack() {
      const count = held;
      held = 0;
      return count;
    },
  };
}
