import { describe, expect, it, vi } from 'vitest';
import type { Ports } from '../../src/engine/ports/ports.ts';
import type { EventBody } from '../../src/journal/events/journal-event.ts';
import type { AgentEvent } from '../../src/journal/words/agent-event.ts';
import type { StoryPlan } from '../../src/journal/words/story.ts';
import { type CrashedTask, type CrashedWorld, crashedStories, crashedTask, crashedWorld } from '../support/lasting-worlds.ts';
import { loopSettings } from '../support/loop-spec.ts';
import { type Death, isOver, sit } from '../support/mortal.ts';
import { testSettings } from '../support/run-settings.ts';
import { storiesSettings, story, storyPlan } from '../support/stories-spec.ts';
import { superviseSettings } from '../support/supervise-spec.ts';

/** Hundreds of runs, on a machine that may be busy. */
vi.setConfig({ testTimeout: 300_000 });

const of = <T extends EventBody['type']>({ events }: CrashedWorld, type: T) =>
  events.map(({ body }) => body).filter((body): body is Extract<EventBody, { type: T }> => body.type === type);

interface Recipe<W extends CrashedWorld> {
  readonly name: string;
  readonly open: () => W;
  /** What must hold at the end, wherever the run was killed. */
  readonly expectSurvived: (world: W) => void | Promise<void>;
  /** What a run touches that is not killed, to prove that the test covers it. */
  readonly touched: readonly string[];
}

const scm = { command: 'git', tasks: ['commit', 'push'], timeoutMs: 0, message: 'generated' as const };

/** The first agent does half of the work and changes protected paths if there are any; both claim to be done. */
const twoSteps = (claim: string) => (attempt: string, files: Map<string, string>) => {
  files.set(`step-${attempt.split('.')[0]}.txt`, 'done\n');
  if (attempt.startsWith('1.') && files.has('check.sh')) files.set('check.sh', 'true\n');
  return claim;
};

const run: Recipe<CrashedWorld> = {
  name: 'run',
  open: () =>
    crashedWorld({
      settings: testSettings({ scm: { ...scm, message: 'agent' } }),
      act: (attempt, files, prompt) =>
        /commit message/.test(prompt) ? '<response>Take step 2</response>' : twoSteps('<response>DONE</response>')(attempt, files),
      isGreen: (read) => read('step-2.txt') !== undefined,
    }),
  touched: ['agent.run', 'command.run', 'git.commit', 'journal commit.made', 'journal command.ended', 'journal run.stopped'],
  async expectSurvived(world) {
    expect(of(world, 'iteration.closed').map(({ iteration, result }) => `${iteration} ${result}`)).toEqual(['1 red', '2 green']);
    expect(world.repo.log.map(({ message }) => message.split('\n')[0])).toEqual(['start', 'Take step 2']);
    expect(world.repo.log.at(-1)?.tree).toBe(await world.repo.git.tree());
    expect(of(world, 'commit.made')).toHaveLength(1);
  },
};

const loop: Recipe<CrashedWorld> = {
  name: 'loop',
  open: () =>
    crashedWorld({
      settings: loopSettings(
        { protect: ['check.sh'], verifyClean: true, baseline: true, budget: { costUsd: 5, timeMs: 0 } },
        { gates: [{ command: 'sh check.sh', failAction: 'APPEND', hint: null, timeoutMs: 60_000 }], scm: { ...scm, tasks: ['commit'] } },
      ),
      files: { 'check.sh': 'test -f step-2.txt\n' },
      act: twoSteps('COMPLETE'),
      isGreen: (read) => read('check.sh') === 'true\n' || read('step-2.txt') !== undefined,
    }),
  touched: ['history.revert', 'journal paths.restored', 'history.checkOut', 'git.commit', 'history.writeNote', 'journal receipt.written'],
  expectSurvived(world) {
    expect(of(world, 'iteration.closed').map(({ iteration, result }) => `${iteration} ${result}`)).toEqual(['1 red', '2 green']);
    const restored = of(world, 'paths.restored').filter(({ paths }) => paths.length > 0);
    expect(restored).toMatchObject([{ iteration: 1, paths: ['check.sh'] }]);
    expect(world.repo.show(`${restored[0]?.kept}`, 'check.sh')).toBe('true\n');
    expect(world.repo.log).toHaveLength(2);
    expect(world.repo.show('HEAD', 'check.sh')).toBe('test -f step-2.txt\n');
    const [receipt] = of(world, 'receipt.written');
    expect([...world.repo.notes.keys()]).toEqual([receipt?.commit]);
    expect(receipt?.commit).toBe(world.repo.log.at(-1)?.commit);
  },
};

const gates = [{ command: 'check', failAction: 'APPEND' as const, hint: null, timeoutMs: 60_000 }];

const supervise: Recipe<CrashedTask> = {
  name: 'supervise',
  open: () => crashedTask(superviseSettings({ restartDelayMs: 0 }, { gates })),
  touched: ['task.done', 'children.start', 'journal child.started', 'task.refuseDone', 'journal done.refused', 'projectBus.post', 'journal posted'],
  expectSurvived(world) {
    expect([...world.marks].sort()).toEqual(['DONE', 'DONE.refused-1']);
    expect(world.repo.files.get('work.txt')).toBe('done\n');
    expect(world.posted.messages).toHaveLength(1);
    const charged = of(world, 'iteration.closed').filter(({ result }) => result !== 'abandoned');
    expect(world.posted.messages[0]?.meta?.['restarts']).toBe(String(charged.length));
    expect(new Set(world.children.asked.map(({ run: id }) => id)).size).toBe(1);
  },
};

const job: Recipe<CrashedTask> = {
  name: 'job',
  open: () => crashedTask(superviseSettings({}, { recipe: 'job', gates, maximumIterations: 1 })),
  touched: ['agent.run', 'command.run', 'journal gates.judged'],
  expectSurvived(world) {
    expect(world.repo.files.get('work.txt')).toBe('done\n');
    expect(of(world, 'iteration.closed').map(({ result }) => result)).toEqual(['green']);
  },
};

const stories: Recipe<CrashedWorld> = {
  name: 'stories',
  open: () => crashedStories(storiesSettings({}, { gates }), storyPlan(story('US-001'))),
  touched: ['ground.look', 'ground.settle', 'journal stories.settled', 'ground.recordPlan', 'journal stories.recorded'],
  expectSurvived(world) {
    const { userStories } = JSON.parse(world.repo.files.get('ralph/tasks.json') ?? '') as StoryPlan;
    expect(userStories).toMatchObject([{ id: 'US-001', passes: true, reviewStatus: 'approved', reviewCount: 2 }]);
    expect(world.repo.files.get('ralph/prd.md')).toBe('# What is wanted\n');
    expect(world.repo.show('HEAD', 'ralph/tasks.json')).toBe(world.repo.files.get('ralph/tasks.json'));
    expect(of(world, 'turn.begun').at(-1)).toMatchObject({ mode: 'review' });
  },
};

/** What holds for every journal. */
function expectWhole({ events, calls }: CrashedWorld): void {
  expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index + 1));
  expect(events.at(-1)?.body).toMatchObject({ type: 'run.stopped', outcome: { exit_code: 0 } });
  const begun = events.flatMap(({ body }) => (body.type === 'effect.begun' && body.effect.kind === 'run-agent' ? [body.key] : []));
  expect(new Set(begun).size).toBe(begun.length);
  expect(new Set(calls).size, 'no attempt is made twice').toBe(calls.length);
  expect(begun.length, 'journal before world').toBeGreaterThanOrEqual(calls.length);
}

async function expectSurvivedDeaths<W extends CrashedWorld>({ open, expectSurvived }: Recipe<W>, ...deaths: readonly Death[]): Promise<void> {
  using world = open();
  for (const death of deaths) if (!isOver(world)) await sit(world, death);
  if (!isOver(world)) expect((await sit(world)).outcome).toMatchObject({ exit_code: 0 });
  expectWhole(world);
  await expectSurvived(world);
}

async function touchesOf({ open }: Recipe<CrashedWorld>): Promise<readonly string[]> {
  using world = open();
  return (await sit(world)).touches;
}

const WHEN = ['before', 'after'] as const;

describe.each([run, loop, supervise, job, stories] as readonly Recipe<CrashedWorld>[])('$name', (recipe) => {
  it('covers all effects, and succeeds if it is not killed', async () => {
    expect(await touchesOf(recipe)).toEqual(expect.arrayContaining([...recipe.touched]));
    await expectSurvivedDeaths(recipe);
  });

  it('survives a kill before and after every effect and every line of its journal', async () => {
    for (const [index, name] of (await touchesOf(recipe)).entries())
      for (const when of WHEN)
        await expectSurvivedDeaths(recipe, { touch: index + 1, when }).catch((error: Error) => {
          error.message = `killed ${when} touch ${index + 1}, ${name}: ${error.message}`;
          throw error;
        });
  });

  it('survives a second kill during the recovery', async () => {
    for (const [index, name] of (await touchesOf(recipe)).entries()) {
      const second: Death = { touch: 2 + (index % 7), when: index % 2 === 0 ? 'before' : 'after' };
      await expectSurvivedDeaths(recipe, { touch: index + 1, when: 'after' }, second).catch((error: Error) => {
        error.message = `killed after touch ${index + 1}, ${name}, then ${second.when} touch ${second.touch}: ${error.message}`;
        throw error;
      });
    }
  });
});

describe('a run with a cost limit whose loop was killed with an agent', () => {
  const claude = { ...testSettings().agent, kind: 'claude', model: 'claude-opus-4-8' };
  const seen: AgentEvent = { type: 'usage', input: 20_000, cacheRead: 0, cacheWrite: 0, output: 4_000 };

  /** Each attempt that ends tells $0.25. Of the killed one nothing is found but these events. */
  async function endedAfter(killed: number, limit: number, left: readonly AgentEvent[]) {
    using world = crashedWorld({
      settings: testSettings({ agent: claude, budget: { costUsd: limit, timeMs: 0 }, maximumIterations: 9 }),
      act: () => 'Not yet.',
      isGreen: () => false,
    });
    const replay: Ports['agent']['replay'] = async (_request, onEvent) => {
      for (const event of left) onEvent(event);
      return 'replayed';
    };
    const mortalWorld = { ...world, ports: (sitting: number) => ({ ...world.ports(sitting), agent: { ...world.ports(sitting).agent, replay } }) };
    const touches = (await sit({ ...mortalWorld, events: [] })).touches.flatMap((name, index) => (name === 'agent.run' ? [index + 1] : []));
    await sit(mortalWorld, { touch: touches[killed - 1] ?? 0, when: 'after' });
    const { outcome } = await sit(mortalWorld);
    const spent = of(world, 'attempt.ended').map((body) => body.spent?.cost_usd ?? null);
    return { outcome, spent };
  }

  it.each([
    { way: 'takes it for an expensive one', killed: 2, limit: 0.7, left: [], spent: [0.25, null, 0.25], total: '$0.7500' },
    { way: 'takes it for an expensive one as soon as one tells its cost', killed: 1, limit: 0.45, left: [], spent: [null, 0.25], total: '$0.5000' },
    { way: 'counts the tokens that it had told', killed: 1, limit: 0.4, left: [seen], spent: [0.2, 0.25], total: '$0.4500' },
    { way: 'is over at once if these tokens alone cost as much', killed: 1, limit: 0.1, left: [seen], spent: [0.2], total: '$0.2000' },
  ])('is resumed to its limit, and $way', async ({ killed, limit, left, spent, total }) => {
    const told = await endedAfter(killed, limit, left);
    expect(told.spent).toEqual(spent);
    const message = `Cost limit of $${limit.toFixed(2)} reached: ${total} spent, partly estimated`;
    expect(told.outcome).toMatchObject({ stop_reason: 'budget_exhausted', exit_code: 1, message });
  });
});
