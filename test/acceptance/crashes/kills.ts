import type { Crash } from '../../support/dying-ralph.ts';

type Kill = readonly [at: string, mode: Crash['mode']];

/**
 * Where the built program is killed with SIGKILL, one row per resume of the same run: at an intent (`effect.begun`) the world is not
 * touched yet; before a fact it is, but nothing is recorded; half a line counts as none.
 */
export const KILLS = {
  run: [
    ['effect.begun run-agent', 'after'],
    ['attempt.ended', 'before'],
    ['gates.judged', 'before'],
    ['iteration.closed', 'torn'],
    ['effect.begun commit', 'after'],
    ['commit.made', 'before'],
    ['command.ended', 'before'],
    ['run.stopped', 'before'],
  ],
  loop: [
    ['gates.judged start', 'before'],
    ['effect.begun put-back', 'after'],
    ['paths.restored', 'before'],
    ['gates.judged clean', 'before'],
    ['receipt.written', 'before'],
  ],
  work: [
    ['task.taken', 'before'],
    ['attempt.ended', 'before'],
    ['plan.settled', 'before'],
    ['effect.begun merge', 'after'],
    ['merge.judged', 'before'],
    ['receipt.written', 'before'],
    ['task.released', 'before'],
  ],
  stories: [
    ['attempt.ended', 'before'],
    ['stories.settled', 'before'],
    ['gates.judged', 'before'],
    ['stories.recorded', 'before'],
    ['stories.settled', 'torn'],
  ],
  supervise: [
    ['attempt.spawned', 'after'],
    ['child.started', 'before'],
    ['gates.judged', 'before'],
    ['done.refused', 'before'],
    ['posted', 'before'],
  ],
  job: [
    ['effect.begun run-agent', 'after'],
    ['attempt.ended', 'before'],
    ['run.stopped', 'torn'],
  ],
} as const satisfies Readonly<Record<string, readonly Kill[]>>;

/** One run that is killed at each of them in turn. */
export async function dieInTurn(kills: readonly Kill[], begin: (crash: Crash) => Promise<void>, again: (crash: Crash) => Promise<void>): Promise<void> {
  for (const [index, [at, mode]] of kills.entries()) await (index === 0 ? begin({ at, mode }) : again({ at, mode, resume: true }));
}
