import { describe, expect, it } from 'vitest';
import { given, runStarted } from '../../../test/support/given.ts';
import { pretendPlan } from '../../../test/support/pretend-plan.ts';
import { playWork } from '../../../test/support/pretend-work.ts';
import { agentBegun, closed, ended, gatesBegun, judged, opened } from '../../../test/support/run-events.ts';
import { testSettings } from '../../../test/support/run-settings.ts';
import { file, looked, superviseSettings } from '../../../test/support/supervise-events.ts';
import { planTask, workSettings } from '../../../test/support/work-spec.ts';
import { decide } from '../../engine/decide/decide.ts';
import type { Recipe } from '../../engine/decide/recipe.ts';
import type { EventBody } from '../../journal/events/journal-event.ts';
import { evolve } from '../../journal/evolve/evolve.ts';
import { emptyState } from '../../journal/state/state.ts';
import type { RunSettings } from '../../settings/schema/run-settings.ts';
import { run } from '../run/run.ts';
import { job } from './job.ts';
import { supervise } from './supervise.ts';

const protect = ['tests/**'];
const gate = { command: 'make test', failAction: 'APPEND', hint: null, timeoutMs: 0 } as const;
const found = { head: 'c0', tree: 't0', problem: null, dirty: [], dirty_count: 0 };
const restored = (paths: string[], iteration = 1): EventBody => ({
  ...{ type: 'paths.restored', key: `put-back:${iteration}.1`, iteration, attempt: 1, paths, kept: paths.length === 0 ? null : 'refs/ralph/kept/r/1.1' },
});

function decided(recipe: Recipe, settings: RunSettings, bodies: readonly EventBody[], tree: string | null = 't0') {
  const events = given({ ...runStarted(settings), found: { ...found, tree } }, ...bodies);
  return decide(recipe, { state: events.reduce(evolve, emptyState), settings, nowMs: (events.at(-1)?.at ?? 0) + 1_000 });
}

describe('protected paths', () => {
  const ofRun = testSettings({ protect, gates: [gate] });
  const ofJob = superviseSettings({ parent: 'r0' }, { recipe: 'job', gates: [gate], protect });
  const ofRoot = superviseSettings({}, { protect });
  const recipes = [
    ['a run', run, ofRun],
    ['a job', job, ofJob],
    ['a supervisor', supervise, ofRoot],
  ] as const;

  it.each(recipes)('are reverted by %s after every agent, before anything else', (_name, recipe, settings) => {
    expect(decided(recipe, settings, [opened(1), agentBegun(1), ended(1)])).toMatchObject([
      { kind: 'do', effect: { kind: 'put-back', key: 'put-back:1.1', tree: 't0', protect } },
    ]);
    expect(decided(recipe, settings, [opened(1), agentBegun(1), ended(1), restored([])])).not.toMatchObject([{ effect: { kind: 'put-back' } }]);
  });

  it.each(recipes)('are refused by %s when git cannot see changes', (_name, recipe, settings) => {
    expect(decided(recipe, settings, [], null)).toMatchObject([{ kind: 'stop', outcome: { stop_reason: 'fatal', exit_code: 4 } }]);
  });

  it('make an iteration of a run red when they were changed, and the next agent is told', () => {
    const claim = { by: 'response', text: 'DONE' } as const;
    const cheated = [opened(1), agentBegun(1), ended(1, { claim }), restored(['tests/a']), gatesBegun(1, [gate]), judged(1, [[gate, 0]])];
    expect(decided(run, ofRun, cheated)).toMatchObject([{ event: { type: 'iteration.closed', result: 'red', accepted: false } }]);
    expect(decided(run, ofRun, [...cheated, closed(1, { result: 'red', claim }), opened(2)])).toMatchObject([
      { effect: { kind: 'run-agent', failures: [{ message: expect.stringContaining('tests/a') }] } },
    ]);
  });

  it('make a job fail when they were changed, and it says why', () => {
    const cheated = [opened(1), agentBegun(1), ended(1), restored(['tests/a']), ...looked(1), gatesBegun(1, [gate]), judged(1, [[gate, 0]])];
    expect(decided(job, ofJob, cheated)).toMatchObject([{ event: { type: 'iteration.closed', result: 'red', accepted: false } }]);
    expect(decided(job, ofJob, [...cheated, closed(1, { result: 'red' })])).toMatchObject([
      { kind: 'stop', outcome: { exit_code: 1, message: expect.stringContaining('tests/a') } },
    ]);
  });

  it.each([[[]], [[gate]]])('make DONE invalid when they were changed, with the checks %j', (gates) => {
    const settings = superviseSettings({}, { protect, gates });
    const lived = [...looked(1), opened(1), agentBegun(1), ended(1), restored(['tests/a'])];
    expect(decided(supervise, settings, lived)).toMatchObject([{ event: { type: 'iteration.closed', result: 'red' } }]);
    const done = [...lived, closed(1, { result: 'red' }), ...looked(0, { done: file })];
    expect(decided(supervise, settings, done)).toMatchObject([{ effect: { kind: 'refuse-done', number: 1 } }]);
    const refused: EventBody[] = [...done, { type: 'done.refused', key: 'refuse-done:1', renamed: 'DONE.refused-1' }];
    const next = [...refused, ...looked(2), opened(2)];
    expect(decided(supervise, settings, next)).toMatchObject([{ effect: { kind: 'run-agent', failures: [{ message: expect.stringContaining('tests/a') }] } }]);
    const good = [...next, agentBegun(2), ended(2), restored([], 2), closed(2), ...looked(0, { done: file })];
    const [last] = decided(supervise, settings, good);
    expect(last).toMatchObject(gates.length === 0 ? { effect: { kind: 'post' } } : { effect: { kind: 'run-gates', protect: { tree: 't0', paths: protect } } });
  });

  it('keep the branch of a task from being merged when they were changed, and the next holder is told', () => {
    const plan = pretendPlan([planTask('A')]);
    const settings = workSettings({ unprovenTries: 1 }, { protect });
    const played = playWork({ settings, plan, turn: (_task, nth) => (nth === 1 ? { restored: ['tests/a'] } : {}) });
    const agents = played.events.flatMap(({ body }) => (body.type === 'effect.begun' && body.effect.kind === 'run-agent' ? [body.effect] : []));
    expect(agents).toHaveLength(2);
    expect(agents[1]?.work?.feedback).toContain('You changed what is protected, and it was put back: tests/a');
    const kinds = played.events.flatMap(({ body }) => (body.type === 'effect.begun' ? [body.effect.kind] : []));
    expect(kinds.filter((kind) => kind === 'merge')).toHaveLength(1);
    expect(plan.merged).toEqual(['A']);
    const results = played.events.flatMap(({ body }) => (body.type === 'iteration.closed' ? [body.result] : []));
    expect(results).toEqual(['red', 'green']);
  });
});
