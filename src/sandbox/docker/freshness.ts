import { join } from 'node:path';
import { isThere } from '../../kit/files/is-there.ts';
import { type Carrier, carryIn, isTooMuch, type Load, makeInside, removeInside } from './carry-in.ts';
import { stopArgs } from './docker-grammar.ts';
import { changedSince, type HostFiles, lookAtHost } from './host-files.ts';

export interface Freshness {
  /** The sandbox is about to start: it will see these work trees as they are now. */
  willStart(tops: readonly string[]): Promise<void>;
  /** Before a command runs there: whatever the loop has done in this work tree since the last one is made visible inside. */
  bring(top: string): Promise<void>;
  /** After a command: what is on the host now is what it left. */
  note(top: string): Promise<void>;
}

interface Surroundings {
  readonly carrier: Carrier;
  readonly warn: (text: string) => void;
  /** Whether anything runs inside, of this run or of another: then it must not be stopped. */
  readonly isBusy: () => boolean;
  /** What is not is carried in whole, and what becomes of it inside is never seen outside. */
  readonly isMounted: (path: string) => boolean;
  readonly isReadOnly: (path: string) => boolean;
}

/** Keeps in mind how the host looked when the sandbox last saw it. */
export function openFreshness({ carrier, warn, isBusy, isMounted, isReadOnly }: Surroundings): Freshness {
  const { commands, name, env } = carrier;
  const seen = new Map<string, HostFiles>();
  const note = async (top: string) => void seen.set(top, await lookAtHost(top, env));

  /** Only a start takes a new picture of all files, of git's too. */
  const restart = async () => {
    await commands.must('stopping it', stopArgs(commands.cli, name));
    for (const top of [...seen.keys()]) {
      if (isMounted(top)) await note(top);
      else seen.delete(top);
    }
  };
  const forgetThrownAway = async () => {
    for (const top of [...seen.keys()]) {
      if (isMounted(top) || (await isThere(top))) continue;
      seen.delete(top);
      await removeInside(carrier, top);
    }
  };
  const changesOf = (top: string, before: HostFiles | null, now: HostFiles) => {
    const { written, removed } = changedSince(before, now);
    const mayCarry = (path: string) => !isReadOnly(join(top, path));
    return { top, written: written.filter(mayCarry), removed: removed.filter(mayCarry) };
  };

  const needsStart = async (load: Load, before: HostFiles | null, now: HostFiles) =>
    before === null || before.git !== now.git || (isMounted(load.top) && (await isTooMuch(load)));

  const restartIfIdle = async (before: HostFiles | null) => {
    if (!isBusy()) await restart();
    else if (before !== null) warn('git in the Docker sandbox sees what the loop has committed only after all agents in it have ended');
    return !isBusy();
  };
  const carryWhole = async (load: Load) => {
    await makeInside(carrier, load.top);
    await carryIn(carrier, load);
  };

  return {
    async note(top) {
      if (isMounted(top)) await note(top);
    },
    async willStart(tops) {
      seen.clear();
      for (const top of tops) await note(top);
    },
    async bring(top) {
      await forgetThrownAway();
      const before = seen.get(top) ?? null;
      const now = await lookAtHost(top, env);
      const load = changesOf(top, before, now);
      const isStarted = (await needsStart(load, before, now)) && (await restartIfIdle(before));
      // A start has brought all that is mounted.
      if (isStarted && isMounted(top)) return await note(top);
      if (isMounted(top) || seen.has(top)) await carryIn(carrier, load);
      else await carryWhole(changesOf(top, null, now));
      seen.set(top, now);
    },
  };
}
