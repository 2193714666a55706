/** Epoch milliseconds that never jump: wall time at opening plus the uptime passed since. */
export interface Clock {
  nowMs(): number;
  /** Resolves at that time or when the signal aborts, whichever comes first; never rejects. */
  sleepUntil(untilMs: number, signal: AbortSignal): Promise<void>;
}
