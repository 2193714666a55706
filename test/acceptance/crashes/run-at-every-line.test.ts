import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { expectSurvived } from '../../support/after-a-crash.ts';
import { type CrashWorld, linesOf, openCrashWorld } from '../../support/crash-world.ts';
import { deep } from '../../support/deep.ts';
import type { Crash } from '../../support/dying-ralph.ts';

vi.setConfig({ maxConcurrency: 3 });

type Kind = 'intent' | 'fact' | 'note';

/** The journal of a run that is not killed, line by line. */
const walk: readonly (readonly [type: string, kind: Kind, whose: string])[] = [
  ['run.started', 'note', 'the start'],
  ['iteration.opened', 'note', 'iteration 1, opened'],
  ['effect.begun', 'intent', 'run-agent 1.1'],
  ['attempt.spawned', 'note', 'agent 1.1, spawned'],
  ['attempt.ended', 'fact', 'run-agent 1.1'],
  ['effect.begun', 'intent', 'run-gates 1.1'],
  ['gates.judged', 'fact', 'run-gates 1.1'],
  ['iteration.closed', 'note', 'iteration 1, closed'],
  ['iteration.opened', 'note', 'iteration 2, opened'],
  ['effect.begun', 'intent', 'run-agent 2.1'],
  ['attempt.spawned', 'note', 'agent 2.1, spawned'],
  ['attempt.ended', 'fact', 'run-agent 2.1'],
  ['effect.begun', 'intent', 'run-gates 2.1'],
  ['gates.judged', 'fact', 'run-gates 2.1'],
  ['iteration.closed', 'note', 'iteration 2, closed'],
  ['run.stopped', 'note', 'the end'],
];
const first = 1;
const last = walk.length;

const moments: Readonly<Record<Kind, Readonly<Record<Crash['mode'], string>>>> = {
  intent: { before: 'before its intent', after: 'after its intent, before the world is touched', torn: 'in the middle of writing its intent' },
  fact: { before: 'after the world, before its fact', after: 'after its fact', torn: 'in the middle of writing its fact' },
  note: { before: 'before it is written', after: 'after it is written', torn: 'in the middle of writing it' },
};

interface Row extends Crash {
  readonly at: number;
  readonly name: string;
  /** What must have happened outside at the end; null if an agent was interrupted and the result depends on the moment. */
  readonly log: readonly string[] | null;
}

/** Each agent and each gate runs once. An agent that had not started gets the next number; gates whose result was not recorded run again. */
function expectedLog([type, kind, whose]: (typeof walk)[number], mode: Crash['mode']): readonly string[] | null {
  const log = ['agent 1.1', 'gate 1.1', 'agent 2.1', 'gate 2.1'];
  const iteration = Number(whose.at(-3));
  if (type === 'attempt.spawned') return null;
  if (type === 'gates.judged' && mode !== 'after') return log.flatMap((line) => (line === `gate ${iteration}.1` ? [line, line] : [line]));
  if (kind === 'intent' && mode === 'after' && whose.startsWith('run-agent')) return log.map((line) => line.replace(`${iteration}.1`, `${iteration}.2`));
  return log;
}

const rows: readonly Row[] = walk.flatMap((line, index) => {
  const [, kind, whose] = line;
  return (['before', 'after', 'torn'] as const).map((mode) => ({
    name: `${whose}: killed ${moments[kind][mode]}`,
    at: index + 1,
    mode,
    log: expectedLog(line, mode),
  }));
});
const isEdge = ({ at, mode }: Crash) => (at === first && mode !== 'after') || (at === last && mode === 'after');
const named = (chosen: readonly Row[]) => chosen.map((row) => [row.name, row] as const);

const journalOf = (world: CrashWorld) => join(world.runFolder(), 'journal.jsonl');

/** Crashes the run and checks that it crashed at this line. */
async function crash(world: CrashWorld, where: Crash & { readonly at: number }): Promise<void> {
  await world.crash(where);
  expect(linesOf(journalOf(world))).toHaveLength(where.mode === 'before' ? where.at - 1 : where.at);
}

deep('each line is killed in process in test/crashes/, the telling ones for real in real-kills.test.ts', () => {
  it('a run that is not killed writes the lines of this table', async () => {
    await using world = await openCrashWorld();
    expect(await world.start().ended).toMatchObject({ code: 0 });
    expect(linesOf(journalOf(world)).map((line) => JSON.parse(line).type)).toEqual(walk.map(([type]) => type));
  });

  describe.concurrent('a run survives a crash at', () => {
    it.for(named(rows.filter((row) => !isEdge(row))))('%s', async ([, { at, mode, log }]) => {
      await using world = await openCrashWorld();
      await crash(world, { at, mode });
      await expectSurvived(world, await world.resume());
      if (log !== null) expect(world.log()).toEqual(log);
    });
  });

  describe.concurrent('a run survives a second crash:', () => {
    const samples = [
      'run-agent 1.1: killed after its intent, before the world is touched',
      'run-agent 2.1: killed after the world, before its fact',
      'run-gates 2.1: killed after its intent, before the world is touched',
      'run-gates 2.1: killed in the middle of writing its fact',
    ];
    const seconds = [
      ['killed before the first line of the resumed run', { mode: 'before', nth: 1 }],
      ['killed in the middle of its second line', { mode: 'torn', nth: 2 }],
      ['killed after its third line', { mode: 'after', nth: 3 }],
    ] as const;
    const twice = rows.filter(({ name }) => samples.includes(name)).flatMap((row) => seconds.map(([then, next]) => [row.name, then, row, next] as const));

    it.for(twice)('%s, then %s', async ([, , { at, mode }, next]) => {
      await using world = await openCrashWorld();
      await crash(world, { at, mode });
      await crash(world, { at: (mode === 'after' ? at : at - 1) + next.nth, mode: next.mode, resume: true });
      await expectSurvived(world, await world.resume());
    });
  });

  describe.concurrent('a crash at the edge:', () => {
    it.for(named(rows.filter((row) => isEdge(row) && row.at === first)))(
      '%s leaves no run to resume and nothing in the way of a new one',
      async ([, { at, mode }]) => {
        await using world = await openCrashWorld();
        await crash(world, { at, mode });
        const refused = await world.resume();
        expect(refused).toMatchObject({ code: 2, result: { stop_reason: 'fatal', done: false, exit_code: 2 } });
        expect(refused.stderr).toMatch(/^error: there is no run here\n/);
        expect(await world.start().ended).toMatchObject({ code: 0 });
      },
    );

    it('a run that is killed after its last line is done', async () => {
      await using world = await openCrashWorld();
      await crash(world, { at: last, mode: 'after' });
      const refused = await world.resume();
      expect(refused).toMatchObject({ code: 2, result: { stop_reason: 'fatal', done: false, exit_code: 2 } });
      expect(refused.stderr).toMatch(/^error: run \S+ is done \(completed\); there is nothing to resume\n/);
    });
  });
});
