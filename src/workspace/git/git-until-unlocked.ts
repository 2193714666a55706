import { setTimeout as sleep } from 'node:timers/promises';
import type { Captured } from '../../process/capture.ts';

const LOCKED_FOR_MS = 10_000;
const PAUSE_MS = 50;

/** Another git that writes the same ref, index or configuration holds its lock for a moment only, and a worktree that it is just making is half there. */
export function untilUnlocked(run: () => Promise<Captured>, beforeTheNext: () => Promise<void> = async () => undefined): Promise<Captured> {
  return untilFree(run, { complaintOf: ({ code, stderr }) => (code === 0 ? '' : stderr), beforeTheNext });
}

interface Waiting<T> {
  /** What git said; empty when all went well. */
  readonly complaintOf: (answer: T) => string;
  readonly beforeTheNext?: () => Promise<void>;
}

/** The same for any other way to ask git. The last answer, if nobody lets go. */
export async function untilFree<T>(run: () => Promise<T>, { complaintOf, beforeTheNext }: Waiting<T>): Promise<T> {
  const untilMs = performance.now() + LOCKED_FOR_MS;
  for (;;) {
    const answer = await run();
    if (!isOfTheMoment(complaintOf(answer)) || performance.now() > untilMs) return answer;
    await beforeTheNext?.();
    await sleep(PAUSE_MS);
  }
}

const isOfTheMoment = (complaint: string) => isLocked(complaint) || /failed to read \S*worktrees\/\S+: /.test(complaint);

export const isLocked = (complaint: string) => /\.lock': File exists|could not lock config file/.test(complaint);
