import { setTimeout as sleep } from 'node:timers/promises';
import type { Captured } from '../../kit/process/capture.ts';

const LOCKED_FOR_MS = 10_000;
const PAUSE_MS = 50;

/** Another git that writes the same ref, index or configuration holds its lock for a moment only, and a worktree that it is just making is half there. */
export async function untilUnlocked(run: () => Promise<Captured>, beforeTheNext: () => Promise<void> = async () => undefined): Promise<Captured> {
  const untilMs = performance.now() + LOCKED_FOR_MS;
  for (;;) {
    const answer = await run();
    if (answer.code === 0 || !isOfTheMoment(answer.stderr) || performance.now() > untilMs) return answer;
    await beforeTheNext();
    await sleep(PAUSE_MS);
  }
}

const isOfTheMoment = (stderr: string) => /\.lock': File exists|could not lock config file|failed to read \S*worktrees\/\S+: /.test(stderr);
