import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { expectSurvived } from '../support/after-a-crash.ts';
import { type Crash, type CrashWorld, linesOf, openCrashWorld } from '../support/crash-world.ts';
import { until } from '../support/until.ts';

vi.setConfig({ maxConcurrency: 3 });

type Kind = 'intent' | 'fact' | 'note';

/** The journal of a run that nobody kills, line by line. */
const walk: readonly (readonly [kind: Kind, whose: string, type: string])[] = [
  ['note', 'the start', 'run.started'],
  ['note', 'iteration 1, opened', 'iteration.opened'],
  ['intent', 'run-agent 1.1', 'effect.begun'],
  ['note', 'agent 1.1, spawned', 'attempt.spawned'],
  ['fact', 'run-agent 1.1', 'attempt.ended'],
  ['intent', 'run-gates 1.1', 'effect.begun'],
  ['fact', 'run-gates 1.1', 'gates.judged'],
  ['note', 'iteration 1, closed', 'iteration.closed'],
  ['note', 'iteration 2, opened', 'iteration.opened'],
  ['intent', 'run-agent 2.1', 'effect.begun'],
  ['note', 'agent 2.1, spawned', 'attempt.spawned'],
  ['fact', 'run-agent 2.1', 'attempt.ended'],
  ['intent', 'run-gates 2.1', 'effect.begun'],
  ['fact', 'run-gates 2.1', 'gates.judged'],
  ['note', 'iteration 2, closed', 'iteration.closed'],
  ['note', 'the end', 'run.stopped'],
];
const first = 1;
const last = walk.length;

const moments: Readonly<Record<Kind, Readonly<Record<Crash['mode'], string>>>> = {
  intent: { before: 'before its intent', after: 'after its intent, before the world is touched', torn: 'in the middle of writing its intent' },
  fact: { before: 'after the world, before its fact', after: 'after its fact', torn: 'in the middle of writing its fact' },
  note: { before: 'before it is written', after: 'after it is written', torn: 'in the middle of writing it' },
};

const modes: readonly Crash['mode'][] = ['before', 'after', 'torn'];
const rows = walk.flatMap(([kind, whose], index) => modes.map((mode) => ({ name: `${whose}: killed ${moments[kind][mode]}`, at: index + 1, mode })));
const resumable = rows.filter(({ at, mode }) => (at > first || mode === 'after') && (at < last || mode !== 'after'));

/** An agent is asked again only if it was cut off: the crash came after its intent and before it had ended. */
const wasCutOff = ({ at, mode }: Crash) => {
  const [kind, , type] = walk[at - 1] ?? [];
  return type === 'attempt.spawned' || (kind === 'intent' && type === 'effect.begun' && walk[at - 1]?.[1].startsWith('run-agent') && mode === 'after');
};

const calls = (world: CrashWorld) => world.log().filter((line) => line.startsWith('agent'));
const journalOf = (world: CrashWorld) => join(world.runFolder(), 'journal.jsonl');

async function crash(world: CrashWorld, where: Crash): Promise<void> {
  expect(await world.crash(where)).toBe('SIGKILL');
  const written = { before: where.at - 1, after: where.at, torn: where.at }[where.mode];
  expect(linesOf(journalOf(world))).toHaveLength(written);
}

it('a run that nobody kills writes the lines of this table', async () => {
  await using world = await openCrashWorld();
  const run = await world.start().ended;
  expect(run.code).toBe(0);
  expect(linesOf(journalOf(world)).map((line) => JSON.parse(line).type)).toEqual(walk.map(([, , type]) => type));
});

describe.concurrent('a run goes on after a crash, whichever line of its journal it was at:', () => {
  it.for(resumable)('$name', async ({ at, mode }) => {
    await using world = await openCrashWorld();
    await crash(world, { at, mode });
    await expectSurvived(world, await world.resume());
    if (!wasCutOff({ at, mode })) expect(calls(world)).toEqual(['agent 1.1', 'agent 2.1']);
  });
});

describe.concurrent('a run goes on after a crash in the middle of', () => {
  it.for(['agent', 'gate'] as const)('run-%s: the world is at work', async (what) => {
    await using world = await openCrashWorld();
    await world.hang(what);
    const running = world.start();
    await until(`the ${what} is at work`, () => world.log().at(-1) === `${what} 1.1`);
    running.child.kill('SIGKILL');
    await running.ended;
    await expectSurvived(world, await world.resume());
    expect(calls(world)).toEqual(what === 'agent' ? ['agent 1.1', 'agent 1.2', 'agent 2.1'] : ['agent 1.1', 'agent 2.1']);
  });
});

describe.concurrent('a run that crashes again while it is resumed goes on:', () => {
  const samples = rows.filter(({ at, mode }) => (at === 3 && mode === 'after') || (at === 12 && mode === 'before') || (at === 13 && mode === 'after') || (at === 14 && mode === 'torn'));
  const again = samples.flatMap(({ name, ...one }) =>
    [1, 2, 3].map((nth) => ({ name: `${name}; then ${['before', 'torn', 'after'][nth - 1]} line ${nth} of the next sitting`, one, nth, mode: (['before', 'torn', 'after'] as const)[nth - 1] ?? 'before' })),
  );
  it.for(again)('$name', async ({ one, nth, mode }) => {
    await using world = await openCrashWorld();
    await crash(world, one);
    const whole = one.mode === 'after' ? one.at : one.at - 1;
    await crash(world, { at: whole + nth, mode, resume: true });
    await expectSurvived(world, await world.resume());
  });
});

describe.concurrent('a crash at the very edge', () => {
  it.for(['before', 'torn'] as const)('%s the first line is whole leaves no run to resume and nothing in the way of a new one', async (mode) => {
    await using world = await openCrashWorld();
    await crash(world, { at: first, mode });
    const refused = await world.resume();
    expect(refused).toMatchObject({ code: 2, result: null });
    expect(refused.stderr).toMatch(/^error: run \S+ never started\n/);
    expect(await world.start().ended).toMatchObject({ code: 0 });
  });

  it('after the last line leaves a run that is done', async () => {
    await using world = await openCrashWorld();
    await crash(world, { at: last, mode: 'after' });
    const refused = await world.resume();
    expect(refused).toMatchObject({ code: 2, result: null });
    expect(refused.stderr).toMatch(/^error: run \S+ is done \(completed\); there is nothing to resume\n/);
  });
});
