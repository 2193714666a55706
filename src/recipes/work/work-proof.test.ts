import { describe, expect, it } from 'vitest';
import { pretendPlan, type Turn } from '../../../test/support/pretend-plan.ts';
import { playWork } from '../../../test/support/pretend-work.ts';
import { planTask, workSettings } from '../../../test/support/work-spec.ts';
import type { EventBody } from '../../journal/events/journal-event.ts';
import type { MergeProof } from '../../journal/events/work.ts';
import type { GateSpec, RunSettings } from '../../settings/schema/run-settings.ts';

const gates: GateSpec[] = [{ command: 'npm test', failAction: 'APPEND', hint: null, timeoutMs: 0 }];
const settings = (over: Partial<RunSettings> = {}) => workSettings({}, { gates, proof: { level: 'living', mayChange: ['**/*.snap'] }, ...over });
const judged = (verdict: MergeProof['verdict'], more: Partial<MergeProof> = {}): MergeProof => ({
  ...{
    verdict,
    level: 'living',
    tree: 'merged',
    results: [],
    allowed: [],
    allowed_by: null,
    gates: [],
    reason: verdict === 'proven' ? '' : `it is ${verdict}`,
  },
  changed: [{ path: 'test/a.test.js', why: 'an existing test changed' }],
  ...more,
});
const held: Turn = { merge: { result: 'held', proof: judged('held') } };
const bodies = (played: ReturnType<typeof playWork>) => played.events.map(({ body }) => body);
const effects = (played: ReturnType<typeof playWork>, kind: string) =>
  bodies(played).flatMap((body) => (body.type === 'effect.begun' && body.effect.kind === kind ? [body.effect] : []));
const told = <T extends EventBody['type']>(played: ReturnType<typeof playWork>, type: T) =>
  bodies(played).filter((body): body is Extract<EventBody, { type: T }> => body.type === type);

describe('the tests that the gates of a plan run', () => {
  it('are searched once, before the first task is taken, and every merge knows them', () => {
    const played = playWork({ settings: settings({ lanes: 2 }), plan: pretendPlan([planTask('A'), planTask('B')]) });
    expect(effects(played, 'find-living')).toMatchObject([{ key: 'living:start', iteration: 0, gates }]);
    const begun = bodies(played).flatMap((body) => (body.type === 'effect.begun' ? [body.effect.kind] : []));
    expect(begun[0]).toBe('find-living');
    for (const effect of effects(played, 'merge'))
      expect(effect).toMatchObject({ proof: { level: 'living', mayChange: ['**/*.snap'], living: [{ command: 'npm test', state: 'living' }] } });
  });

  it('are searched again only for a task with its own gates, on the base it was taken from', () => {
    const plan = pretendPlan([planTask('A', { verify: ['npm run other'] }), planTask('B')]);
    const played = playWork({ settings: settings(), plan });
    expect(effects(played, 'find-living').slice(1)).toMatchObject([{ tree: 'b0^{tree}', gates: [{ command: 'npm run other' }] }]);
    const [merge] = effects(played, 'merge');
    expect(merge).toMatchObject({ task: { id: 'A' }, proof: { living: [{ command: 'npm test' }, { command: 'npm run other' }] } });
  });

  it('prevent a run with a dead gate from starting', () => {
    const played = playWork({ settings: settings(), plan: pretendPlan([planTask('A')]), turn: () => ({ life: 'dead' }) });
    expect(played.outcome).toMatchObject({ stop_reason: 'dead_gate', exit_code: 2 });
    expect(told(played, 'task.taken')).toEqual([]);
  });
});

describe('a held task', () => {
  const plan = () => pretendPlan([planTask('A'), planTask('B'), planTask('C', { needs: ['A'] }), planTask('D')]);

  it('is retried once with the reason, then parked, and the others continue', () => {
    const world = plan();
    const played = playWork({ settings: settings(), plan: world, turn: (task) => (task === 'A' ? held : {}) });
    expect(world.merged).toEqual(['B', 'D']);
    const taken = told(played, 'task.taken').filter(({ task }) => task.id === 'A');
    expect(taken).toHaveLength(2);
    expect(taken[1]?.feedback).toContain('test/a.test.js: an existing test changed');
    expect(world.registers.get('A')?.register).toMatchObject({ state: 'parked', branch: 'ralph/A.3', claim: { times: 2, tree: 'merged' } });
    expect(played.outcome).toMatchObject({ stop_reason: 'held', exit_code: 3, message: expect.stringMatching(/ralph accept \S+ --task A$/) });
    expect(played.state.tasks).toMatchObject({
      counts: { failed: 0, done: 2 },
      proofs: expect.arrayContaining([expect.objectContaining({ task: 'A', isParked: true })]),
    });
  });

  it('is parked at once when no retry is left', () => {
    const world = pretendPlan([planTask('A')]);
    playWork({ settings: workSettings({ unprovenTries: 0 }, { gates, proof: { level: 'green', mayChange: [] } }), plan: world, turn: () => held });
    expect(world.registers.get('A')?.register.state).toBe('parked');
  });

  it('is merged without an agent once a person has allowed it, and its dependents continue', () => {
    const world = plan();
    const first = playWork({ settings: settings(), plan: world, turn: (task) => (task === 'A' ? held : {}) });
    const parked = world.registers.get('A');
    if (!parked?.register.claim) throw new Error('It is not parked.');
    const claim = { ...parked.register.claim, allowed: { by: 'ann', at: 5 } };
    world.registers.set('A', { n: parked.n + 1, register: { ...parked.register, state: 'free', claim } });
    const agentsBefore = told(first, 'attempt.ended').length;
    const second = playWork({ settings: settings(), plan: world, past: first.events });
    expect(effects(second, 'merge').at(-2)).toMatchObject({ task: { id: 'A' }, proof: { allowed: { tree: 'merged', allowed: { by: 'ann' } } } });
    expect(world.merged).toEqual(['B', 'D', 'A', 'C']);
    expect(told(second, 'attempt.ended')).toHaveLength(agentsBefore + 1);
    expect(second.outcome).toMatchObject({ stop_reason: 'completed', exit_code: 0 });
  });

  it('that was allowed stays allowed for the next run when its loop dies', () => {
    const world = pretendPlan([planTask('A')]);
    const claim = { times: 2, tree: 'merged', changed: [], allowed: { by: 'ann', at: 5 } };
    world.registers.set('A', {
      n: 4,
      register: { state: 'free', holder: null, key: '', at: 0, branch: 'ralph/A.3', base: null, tries: 2, feedback: '', claim },
    });
    const whole = playWork({ settings: settings(), plan: pretendPlan([planTask('A')]) });
    const killed = playWork({ settings: settings(), plan: world, killedAt: Math.min(12, whole.events.length) });
    const played = playWork({ settings: settings(), plan: world, past: killed.events });
    expect(told(played, 'attempt.ended')).toEqual([]);
    expect(world.merged).toEqual(['A']);
  });

  it('with dead gates is red: its next try is told, and it is retried no more often than any other', () => {
    const world = pretendPlan([planTask('A')]);
    const life = { command: 'npm test', state: 'dead' as const, files: [], why: 'stays green' };
    const played = playWork({ settings: settings(), plan: world, turn: () => ({ merge: { result: 'red', proof: judged('dead', { gates: [life] }) } }) });
    expect(told(played, 'task.taken')[1]?.feedback).toContain('`npm test` stays green');
    expect(world.registers.get('A')?.register.state).toBe('failed');
    expect(played.outcome).toMatchObject({ stop_reason: 'stuck', exit_code: 1 });
  });

  it('may change what the plan allows it to, and no other task may', () => {
    const played = playWork({ settings: settings(), plan: pretendPlan([planTask('A', { may_change: ['test/**'] }), planTask('B')]) });
    expect(effects(played, 'merge')).toMatchObject([{ proof: { mayChange: ['**/*.snap', 'test/**'] } }, { proof: { mayChange: ['**/*.snap'] } }]);
  });
});
