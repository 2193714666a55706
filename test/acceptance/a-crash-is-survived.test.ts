import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { expectSurvived } from '../support/after-a-crash.ts';
import { type Crash, type CrashWorld, endedRun, linesOf, openCrashWorld } from '../support/crash-world.ts';
import { until } from '../support/until.ts';

vi.setConfig({ maxConcurrency: 3 });

type Kind = 'intent' | 'fact' | 'note';

/** The journal of a run that nobody kills, line by line. */
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
  readonly name: string;
  /** Its agent has begun and cannot have come to its end: it alone is asked again. */
  readonly cutsOff: boolean;
}

const rows: readonly Row[] = walk.flatMap(([type, kind, whose], index) =>
  (['before', 'after', 'torn'] as const).map((mode) => ({
    name: `${whose}: killed ${moments[kind][mode]}`,
    at: index + 1,
    mode,
    cutsOff: type === 'attempt.spawned' || (mode === 'after' && kind === 'intent' && whose.startsWith('run-agent')),
  })),
);
const isEdge = ({ at, mode }: Crash) => (at === first && mode !== 'after') || (at === last && mode === 'after');
const named = (chosen: readonly Row[]) => chosen.map((row) => [row.name, row] as const);

const calls = (world: CrashWorld) => world.log().filter((line) => line.startsWith('agent'));
const journalOf = (world: CrashWorld) => join(world.runFolder(), 'journal.jsonl');

/** Crashes, and makes sure that it was there. */
async function crash(world: CrashWorld, where: Crash): Promise<void> {
  expect(await world.crash(where)).toBe('SIGKILL');
  expect(linesOf(journalOf(world))).toHaveLength(where.mode === 'before' ? where.at - 1 : where.at);
}

it('a run that nobody kills writes the lines of this table', async () => {
  await using world = await openCrashWorld();
  expect(await world.start().ended).toMatchObject({ code: 0 });
  expect(linesOf(journalOf(world)).map((line) => JSON.parse(line).type)).toEqual(walk.map(([type]) => type));
});

describe.concurrent('a crash is survived at every line:', () => {
  it.for(named(rows.filter((row) => !isEdge(row))))('%s', async ([, { cutsOff, ...where }]) => {
    await using world = await openCrashWorld();
    await crash(world, where);
    await expectSurvived(world, await world.resume());
    if (!cutsOff) expect(calls(world)).toEqual(['agent 1.1', 'agent 2.1']);
  });
});

describe.concurrent('a crash is survived in the middle:', () => {
  it.for([
    ['run-agent', 'agent', ['agent 1.1', 'agent 1.2', 'agent 2.1']],
    ['run-gates', 'gate', ['agent 1.1', 'agent 2.1']],
  ] as const)('%s 1.1: killed while the world is at work', async ([, what, expectedCalls]) => {
    await using world = await openCrashWorld();
    await world.hang(what);
    const running = world.start();
    await until(`the ${what} is at work`, () => world.log().at(-1) === `${what} 1.1`);
    running.child.kill('SIGKILL');
    await running.ended;
    await expectSurvived(world, await world.resume());
    expect(calls(world)).toEqual(expectedCalls);
  });

  it('the guardian of the dead loop, late as it may be, spares the agent of the resumed run', async () => {
    await using world = await openCrashWorld();
    await world.hang('agent');
    const running = world.start();
    await until('the agent is at work', () => world.log().length === 1);
    await using guardian = holdBackTheGuardian(world);
    running.child.kill('SIGKILL');
    await running.ended;
    await world.hang('agent');
    const resumed = world.start('--resume');
    await until('the next agent is at work', () => world.log().length === 2);
    await guardian.letGo();
    await world.release('agent');
    await expectSurvived(world, endedRun(await resumed.ended));
    expect(calls(world)).toEqual(['agent 1.1', 'agent 1.2', 'agent 2.1']);
  });
});

function holdBackTheGuardian(world: CrashWorld): AsyncDisposable & { letGo(): Promise<void> } {
  const found = world.processes().filter(({ command }) => command.includes('ralph-guardian'));
  expect(found).toHaveLength(1);
  const pid = found[0]?.pid ?? Number.NaN;
  const isThere = () => world.processes().some((other) => other.pid === pid);
  const letGo = async () => {
    if (isThere()) process.kill(pid, 'SIGCONT');
    await until('the guardian has done its work', () => !isThere());
  };
  process.kill(pid, 'SIGSTOP');
  return { letGo, [Symbol.asyncDispose]: letGo };
}

describe.concurrent('a second crash is survived:', () => {
  const samples = new Set(
    ['run-agent 1.1: killed after its intent, before the world is touched', 'run-agent 2.1: killed after the world, before its fact'].concat([
      'run-gates 2.1: killed after its intent, before the world is touched',
      'run-gates 2.1: killed in the middle of writing its fact',
    ]),
  );
  const twice = rows
    .filter(({ name }) => samples.has(name))
    .flatMap((row) =>
      (['before', 'torn', 'after'] as const).map(
        (mode, index) => [row.name, `${mode} line ${index + 1} of the next sitting`, row, { mode, nth: index + 1 }] as const,
      ),
    );

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
      expect(refused).toMatchObject({ code: 2, result: null });
      expect(refused.stderr).toMatch(/^error: run \S+ never started\n/);
      expect(await world.start().ended).toMatchObject({ code: 0 });
    },
  );

  it('the end: killed after it is written leaves a run that is done', async () => {
    await using world = await openCrashWorld();
    await crash(world, { at: last, mode: 'after' });
    const refused = await world.resume();
    expect(refused).toMatchObject({ code: 2, result: null });
    expect(refused.stderr).toMatch(/^error: run \S+ is done \(completed\); there is nothing to resume\n/);
  });
});
