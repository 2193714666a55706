import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { deepRows, isDeep } from '../../support/deep.ts';
import { FAULTY_WORLDS, type FaultyWorld } from '../../support/faulty-worlds.ts';
import { PRELOAD } from '../../support/ralph.ts';
import { endOf, journalOf } from '../../support/stage.ts';
import { openThrowAwayFolder } from '../../support/throw-away-folder.ts';

type Open = (env: Readonly<Record<string, string>>) => Promise<FaultyWorld>;

const FAULTY = new URL('../../support/faulty-preload.mjs', import.meta.url).href;

/** Reading the process table asks thousands of times from three places; all other places ask less often than this in one run. */
const MOST_OF_A_PLACE = 80;

/** The calls of a run without any fault, in order. */
async function callsOf(open: Open, folder: string): Promise<readonly string[]> {
  const known = join(folder, 'known');
  await using world = await open({ [PRELOAD]: `${FAULTY}?known=${encodeURIComponent(known)}` });
  const run = await endOf(world.begin());
  expect(run, run.stderr).toMatchObject({ code: 0 });
  world.expectDone();
  const calls = linesOf(known);
  return calls.filter((call) => Number(/#(\d+)$/.exec(call)?.[1]) <= MOST_OF_A_PLACE);
}

const linesOf = (file: string) => (existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n') : []);

interface Faults {
  readonly calls: readonly string[];
  /** The error of a file operation. */
  readonly code: string;
  /** The file that names the calls that have failed. */
  readonly hit: string;
}

/** What is wrong after these calls have failed; null: nothing. */
async function whatIsWrong(open: Open, { calls, code, hit }: Faults): Promise<string | null> {
  const query = new URLSearchParams([...calls.map((call): [string, string] => ['fail', call]), ['code', code], ['hit', hit]]);
  await using world = await open({ [PRELOAD]: `${FAULTY}?${query}` });
  const run = await endOf(world.begin());
  const told = `${linesOf(hit).join(', ')}: ${code}\nexit code ${run.code}\n${run.stderr}`;
  // 2: what cannot be read at the start is refused, before anything is begun.
  if (![0, 1, 2, 3, 4].includes(run.code ?? -1) || (run.code === 2 && /Starting Ralph Loop/.test(run.stderr)) || /this is a bug/.test(run.stderr)) return told;
  try {
    if (run.code !== 0) {
      const again = await world.goOn();
      if (again.code !== 0) return `${told}\nand then\nexit code ${again.code}\n${again.stderr}`;
    }
    world.expectDone();
    return null;
  } catch (error) {
    return `${told}\nbut\n${(error as Error).message}`;
  }
}

const AT_A_TIME = 3;
/** So many calls fail in one run, far from each other. If anything is wrong then, each of them fails in a run of its own. */
const IN_A_RUN = 8;
/** A call of a race comes in some runs only. */
const TRIES = 2;
/** So many calls, from the first to the last, are tried in every `npm test`. */
const SAMPLE = { work: 8, loop: 8, run: 8, stories: 8, supervise: 8 } as const;
const CODES = ['EIO', 'ENOSPC', 'EMFILE'] as const;

/** Calls that are neighbours in time are in different groups. */
function grouped(calls: readonly string[]): readonly (readonly string[])[] {
  const groups = Math.ceil(calls.length / IN_A_RUN);
  return Array.from({ length: groups }, (_, index) => calls.filter((_call, at) => at % groups === index));
}

interface Group {
  readonly calls: readonly string[];
  readonly tries: number;
}

/** What has to be tried once more: each call that failed alone, if one of several did harm; and those that a run which ended early has not come to. */
function again({ calls, tries }: Group, hit: readonly string[], isWrong: boolean): readonly Group[] {
  const missed = calls.filter((call) => !hit.includes(call));
  const alone = isWrong && hit.length > 1 ? hit.map((call) => ({ calls: [call], tries: 1 })) : [];
  if (missed.length === 0 || (hit.length === 0 && tries === TRIES)) return alone;
  return [...alone, { calls: missed, tries: hit.length === 0 ? tries + 1 : tries }];
}

/** Has each call fail once, and tells what is wrong after one alone. */
async function tryEach(open: Open, calls: readonly string[], folder: string): Promise<{ readonly wrong: readonly string[]; readonly failed: number }> {
  const left: Group[] = grouped(calls).map((group) => ({ calls: group, tries: 1 }));
  const failed = new Set<string>();
  const wrong: string[] = [];
  let begun = 0;
  const worker = async () => {
    for (let next = left.shift(); next !== undefined; next = left.shift()) {
      begun += 1;
      const faults = { calls: next.calls, code: CODES[begun % CODES.length] ?? 'EIO', hit: join(folder, `hit-${begun}`) };
      const found = await whatIsWrong(open, faults);
      const hit = linesOf(faults.hit);
      for (const call of hit) failed.add(call);
      left.push(...again(next, hit, found !== null));
      if (found !== null && hit.length <= 1) wrong.push(found);
    }
  };
  await Promise.all(Array.from({ length: AT_A_TIME }, worker));
  console.info(`faults: ${failed.size} of ${calls.length} calls failed once, in ${begun} runs`);
  return { wrong, failed: failed.size };
}

const recipes = Object.keys(FAULTY_WORLDS) as (keyof typeof FAULTY_WORLDS)[];

describe.each(recipes)('ralph %s, in which any one file operation, git command or process fails once,', (recipe) => {
  it('ends with a code and a reason, never lies, and comes to the same end when it goes on', { timeout: isDeep ? 3_600_000 : 600_000 }, async () => {
    await using folder = await openThrowAwayFolder();
    const open = FAULTY_WORLDS[recipe];
    const calls = deepRows('every call that asks something of the system', await callsOf(open, folder.path), SAMPLE[recipe]);
    const { wrong, failed } = await tryEach(open, calls, folder.path);
    expect(wrong.join('\n----\n')).toBe('');
    // Not every call comes again: what two workers do is in no fixed order.
    expect(failed).toBeGreaterThanOrEqual(Math.floor(calls.length * 0.8));
  });
});

describe.each(deepRows('every recipe takes the time of its events from one function', recipes, 2))(
  'ralph %s, whose clock jumps by an hour, back and forth,',
  (recipe) => {
    it('comes to its end, with a journal whose time never goes back', async () => {
      await using world = await FAULTY_WORLDS[recipe]({ [PRELOAD]: `${FAULTY}?jump=3600000` });
      const run = await endOf(world.begin());
      expect(run, run.stderr).toMatchObject({ code: 0 });
      world.expectDone();
      const times = journalOf(run).map(({ at }) => Number(at));
      expect(times).toEqual(times.toSorted((one, other) => one - other));
    });
  },
);
