import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { expectSurvived } from '../support/after-a-crash.ts';
import { type CrashWorld, endedRun, linesOf, openCrashWorld } from '../support/crash-world.ts';
import type { Crash } from '../support/dying-ralph.ts';
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
  /** What must have happened outside when all is over; null when an agent was cut off, and it depends on the moment. */
  readonly log: readonly string[] | null;
}

/** Each agent and each gate works once. What was not touched yet has the next number; gates whose word was not written down are asked again. */
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

const calls = (world: CrashWorld) => world.log().filter((line) => line.startsWith('agent'));
const journalOf = (world: CrashWorld) => join(world.runFolder(), 'journal.jsonl');

/** Crashes, and makes sure that it was there. */
async function crash(world: CrashWorld, where: Crash): Promise<void> {
  await world.crash(where);
  expect(linesOf(journalOf(world))).toHaveLength(where.mode === 'before' ? where.at - 1 : where.at);
}

it('a run that nobody kills writes the lines of this table', async () => {
  await using world = await openCrashWorld();
  expect(await world.start().ended).toMatchObject({ code: 0 });
  expect(linesOf(journalOf(world)).map((line) => JSON.parse(line).type)).toEqual(walk.map(([type]) => type));
});

describe.concurrent('a crash is survived at every line:', () => {
  it.for(named(rows.filter((row) => !isEdge(row))))('%s', async ([, { at, mode, log }]) => {
    await using world = await openCrashWorld();
    await crash(world, { at, mode });
    await expectSurvived(world, await world.resume());
    if (log !== null) expect(world.log()).toEqual(log);
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
    // A shell that forks shows twice for a moment, until its child has become another program.
    await until('only that one is at work, for the resumed run has itself ended the first', () => agentsAtWork(world).length === 1);
    await guardian.letGo();
    await world.release('agent');
    await expectSurvived(world, endedRun(await resumed.ended));
    expect(calls(world)).toEqual(['agent 1.1', 'agent 1.2', 'agent 2.1']);
  });
});

const agentsAtWork = (world: CrashWorld) => world.processes().filter(({ command }) => command.startsWith('/bin/sh ') && command.endsWith('agent.sh'));

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
  const samples = [
    'run-agent 1.1: killed after its intent, before the world is touched',
    'run-agent 2.1: killed after the world, before its fact',
    'run-gates 2.1: killed after its intent, before the world is touched',
    'run-gates 2.1: killed in the middle of writing its fact',
  ];
  const seconds = [
    ['killed before the first line of the next sitting', { mode: 'before', nth: 1 }],
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

  it('the end: killed after it is written leaves a run that is done', async () => {
    await using world = await openCrashWorld();
    await crash(world, { at: last, mode: 'after' });
    const refused = await world.resume();
    expect(refused).toMatchObject({ code: 2, result: { stop_reason: 'fatal', done: false, exit_code: 2 } });
    expect(refused.stderr).toMatch(/^error: run \S+ is done \(completed\); there is nothing to resume\n/);
  });
});
