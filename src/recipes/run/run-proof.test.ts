import { describe, expect, it } from 'vitest';
import { given, runStarted } from '../../../test/support/given.ts';
import { agentBegun, claim, closed, ended, gatesBegun, judged, opened } from '../../../test/support/run-events.ts';
import { testSettings } from '../../../test/support/run-settings.ts';
import { decide } from '../../engine/decide/decide.ts';
import type { ProofJudged } from '../../journal/events/gates.ts';
import type { EventBody } from '../../journal/events/journal-event.ts';
import { evolve } from '../../journal/evolve/evolve.ts';
import { emptyState } from '../../journal/state/state.ts';
import type { GateLife } from '../../journal/words/proof.ts';
import type { RunSettings } from '../../settings/schema/run-settings.ts';
import { run } from './run.ts';

const settings: RunSettings = { ...testSettings(), proof: { level: 'living', mayChange: ['**/*.snap'] }, maximumIterations: 9 };
const { gates } = settings;
const command = gates[0]?.command ?? '';

const after = (bodies: readonly EventBody[], chosen: RunSettings = settings, tree: string | null = 'base') => {
  const found = tree === null ? null : { head: null, tree, problem: null, dirty: [], dirty_count: 0 };
  return given({ ...runStarted(chosen), found }, ...bodies);
};
const stateOf = (bodies: readonly EventBody[]) => after(bodies).reduce(evolve, emptyState);
function decided(bodies: readonly EventBody[], chosen: RunSettings = settings, tree: string | null = 'base') {
  const events = after(bodies, chosen, tree);
  return decide(run, { state: events.reduce(evolve, emptyState), settings: chosen, nowMs: 1_000 * (events.length + 1) });
}

const alive: GateLife = { command, state: 'living', files: ['test/a.test.js'], why: '' };
const found = (...lives: GateLife[]): EventBody => ({ type: 'living.found', key: 'living:start', gates: lives });
const green = (iteration: number) =>
  judged(
    iteration,
    gates.map((gate) => [gate, 0]),
    { tree: 'claimed', tree_after: 'claimed' },
  );
const proof = (iteration: number, verdict: ProofJudged['verdict'], more: Partial<ProofJudged> = {}): EventBody => ({
  ...{ type: 'proof.judged', key: `prove:${iteration}.1~1`, iteration, attempt: 1, tree: 'claimed', verdict, level: 'living' },
  ...{ results: [], changed: [], allowed: [], gates: [alive], reason: '' },
  ...more,
});
const claimed = (iteration: number) => [opened(iteration), agentBegun(iteration), ended(iteration, { claim }), gatesBegun(iteration, gates), green(iteration)];
const changed = [{ path: 'test/a.test.js', why: 'an existing test changed' }];
const held = (iteration: number) => [...claimed(iteration), proof(iteration, 'held', { changed }), closed(iteration, { claim, accepted: false })];

const allowed = (iteration: number): EventBody => ({ type: 'claim.allowed', iteration, paths: ['test/a.test.js'], by: 'ann' });

describe('a claim that must be proven', () => {
  it('is preceded by a search for the tests that the gates run, before the first iteration', () => {
    expect(decided([])).toMatchObject([{ kind: 'do', effect: { kind: 'find-living', tree: 'base', gates } }]);
    expect(decided([found(alive)])).toMatchObject([{ kind: 'say', event: { type: 'iteration.opened' } }]);
  });

  it('is proven against the tree of the start, with the gates that were alive then', () => {
    expect(decided([found(alive), ...claimed(1)])).toMatchObject([
      { kind: 'do', effect: { kind: 'prove', tree: 'claimed', base: 'base', level: 'living', may_change: ['**/*.snap'], living: [alive], seen_clean: false } },
    ]);
  });

  it('counts only when it is proven', () => {
    expect(decided([found(alive), ...claimed(1), proof(1, 'proven')])).toMatchObject([
      { event: { type: 'iteration.closed', accepted: true, result: 'green' } },
    ]);
    expect(decided([found(alive), ...claimed(1), proof(1, 'held', { changed })])).toMatchObject([{ event: { accepted: false, result: 'green' } }]);
    for (const verdict of ['red', 'dead'] as const)
      expect(decided([found(alive), ...claimed(1), proof(1, verdict)])).toMatchObject([{ event: { accepted: false, result: 'red' } }]);
  });

  it('is not proven when changes cannot be seen, or when no proof is asked for', () => {
    expect(decided([...claimed(1)], settings, null)).toMatchObject([{ event: { type: 'iteration.closed', accepted: true } }]);
    expect(decided([...claimed(1)], testSettings())).toMatchObject([{ event: { type: 'iteration.closed', accepted: true } }]);
  });

  it('does not count when its proof was cut off', () => {
    const cut = [found(alive), ...claimed(1), proof(1, 'proven', { cut_off: true })];
    expect(stateOf(cut).open[0]?.proved).toBeNull();
    expect(stateOf([{ type: 'living.found', key: 'living:start', gates: [alive], cut_off: true }]).living).toBeNull();
  });

  it('is not proven when the operator excludes every gate', () => {
    const kept: RunSettings = { ...settings, gates: gates.map((gate) => ({ ...gate, proof: 'off' })) };
    expect(decided([], kept)).toMatchObject([{ kind: 'say', event: { type: 'iteration.opened' } }]);
    expect(decided(claimed(1), kept)).toMatchObject([{ event: { type: 'iteration.closed', accepted: true } }]);
  });

  it('cannot avoid the proof by breaking the repository, when agents have a folder of their own', () => {
    const nameless = judged(
      1,
      gates.map((gate) => [gate, 0]),
      { tree: null, tree_after: null },
    );
    const events = [found(alive), opened(1), agentBegun(1), ended(1, { claim }), gatesBegun(1, gates), nameless];
    const isolated: RunSettings = { ...settings, wall: { ...settings.wall, workspace: 'isolated' } };
    expect(decided(events, isolated)).toMatchObject([{ event: { type: 'iteration.closed', accepted: false } }]);
    expect(decided(events)).toMatchObject([{ event: { type: 'iteration.closed', accepted: true } }]);
  });

  it('tells the next prompt why it is held, and stops for a person when it is repeated', () => {
    const [decision] = decided([found(alive), ...held(1), opened(2)]);
    expect(decision).toMatchObject({
      effect: { kind: 'run-agent', failures: [{ message: expect.stringContaining('test/a.test.js: an existing test changed') }] },
    });
    const outcome = { stop_reason: 'held', exit_code: 3, message: expect.stringContaining('ralph accept') };
    expect(decided([found(alive), ...held(1), ...held(2)])).toMatchObject([{ kind: 'stop', outcome }]);
  });

  it('ends a run that has used up its iterations as held, not as unfinished', () => {
    expect(decided([found(alive), ...held(1)], { ...settings, maximumIterations: 1 })).toMatchObject([{ kind: 'stop', outcome: { stop_reason: 'held' } }]);
  });

  it('counts once a person has allowed it, and says who', () => {
    const events = [found(alive), ...held(1), ...held(2), allowed(2)];
    expect(decided(events)).toMatchObject([
      { kind: 'do', effect: { kind: 'write-receipt', receipt: { tree: 'claimed', proof: { allowed_by: 'ann', changed } } } },
    ]);
    const receipt: EventBody = { type: 'receipt.written', key: 'receipt', file: 'receipt.json', commit: null, signed_by: null };
    expect(decided([...events, receipt])).toMatchObject([{ kind: 'stop', outcome: { stop_reason: 'completed', exit_code: 0 } }]);
    expect(stateOf(events).proof?.judged).toMatchObject({ allowedBy: 'ann', changed });
  });

  it('is not accepted by a permission for another iteration', () => {
    const events = [found(alive), ...held(1), allowed(7)];
    expect(stateOf(events).proof).toBeNull();
  });

  it('stops a run whose gate stays dead', () => {
    const gatesNow: GateLife[] = [{ command, state: 'dead', files: [], why: 'stays green' }];
    const dead = (iteration: number) => [
      ...claimed(iteration),
      proof(iteration, 'dead', { gates: gatesNow, reason: 'Dead gate' }),
      closed(iteration, { claim }),
    ];
    expect(decided([found(alive), ...dead(1), ...dead(2), ...dead(3)])).toMatchObject([{ kind: 'stop', outcome: { stop_reason: 'dead_gate', exit_code: 1 } }]);
    const [next] = decided([found(alive), ...dead(1), opened(2)]);
    expect(next).toMatchObject({ effect: { failures: [{ message: expect.stringContaining('stays green') }] } });
  });
});

describe('a claim whose sealed checks are red', () => {
  const sealing: RunSettings = { ...settings, proof: { level: 'green', mayChange: [], sealed: '/beside/acceptance' } };
  const begun = (iteration: number): EventBody => ({ type: 'sealed.begun', key: `prove:${iteration}.1~1`, iteration, attempt: 1 });
  const red = (iteration: number, hint?: string) => [
    ...[...claimed(iteration), begun(iteration)],
    proof(iteration, 'sealed', { level: 'green', gates: [], sealed: { checks: 2, weak: 0 }, ...(hint !== undefined && { hint }) }),
    closed(iteration, { claim }),
  ];

  it("tells the next prompt one bit, and the operator's hint if there is one", () => {
    const told = (events: readonly EventBody[]) => JSON.stringify(decided([...events, opened(2)], sealing));
    expect(told(red(1))).toContain('hidden checks are not satisfied');
    expect(told(red(1))).not.toContain('acceptance');
    expect(told(red(1, 'Think of negative numbers.'))).toContain('Think of negative numbers.');
  });

  it('is not accepted, and its iteration is red', () => {
    expect(decided([...claimed(1), begun(1), proof(1, 'sealed', { sealed: { checks: 1, weak: 0 } })], sealing)).toMatchObject([
      { event: { type: 'iteration.closed', accepted: false, result: 'red' } },
    ]);
  });

  it('stops the run after three runs of them, and names only their number', () => {
    expect(decided([...red(1), ...red(2)], sealing)).toMatchObject([{ kind: 'say', event: { type: 'iteration.opened' } }]);
    const outcome = { stop_reason: 'sealed_red', exit_code: 3, message: expect.stringContaining('in 3 runs of them') };
    expect(decided([...red(1), ...red(2), ...red(3)], sealing)).toMatchObject([{ kind: 'stop', outcome }]);
    expect(decided(red(1), { ...sealing, maximumIterations: 1 })).toMatchObject([{ kind: 'stop', outcome: { stop_reason: 'sealed_red' } }]);
  });

  it('counts a run of them during which the loop died, but not one that was cut off', () => {
    const [again] = decided([...claimed(1), begun(1), { type: 'effect.lost', key: 'prove:1.1~1' }], sealing);
    expect(again).toMatchObject({ effect: { kind: 'prove', sealed_runs: 1 } });
    expect(decided([...claimed(1), begun(1), proof(1, 'sealed')], sealing)).toMatchObject([{ effect: { kind: 'prove', sealed_runs: 1 } }]);
  });

  it('a claim is not proven by a working copy that git cannot name', () => {
    const nameless = judged(
      1,
      gates.map((gate) => [gate, 0]),
      { tree: null, tree_after: null },
    );
    expect(decided([opened(1), agentBegun(1), ended(1, { claim }), gatesBegun(1, gates), nameless], sealing)).toMatchObject([{ event: { accepted: false } }]);
  });
});

it('a run does not start with a dead gate, and says why', () => {
  const dead: GateLife = { command, state: 'dead', files: [], why: 'stays green with failures planted in a.test.js' };
  const outcome = { stop_reason: 'dead_gate', exit_code: 2, message: expect.stringContaining('stays green with failures planted in a.test.js') };
  expect(decided([found(dead)])).toMatchObject([{ kind: 'stop', outcome }]);
});

describe('a slow search for the tests that the gates run', () => {
  const looking: EventBody = {
    type: 'effect.begun',
    key: 'living:start',
    effect: { kind: 'find-living', key: 'living:start', iteration: 0, attempt: 0, gates: [...gates], tree: 'base', alone_until: 61_000, until: null },
  };
  const decidedAt = (nowMs: number, ...bodies: EventBody[]) => decide(run, { state: stateOf([looking, ...bodies]), settings, nowMs });

  it('runs alone for a minute, then the first agent starts beside it', () => {
    expect(decidedAt(5_000)).toEqual([{ kind: 'wait', untilMs: 61_000 }]);
    expect(decidedAt(61_000)).toMatchObject([{ kind: 'say', event: { type: 'iteration.opened', iteration: 1 } }]);
  });

  it('ends before the gates judge the work of that agent', () => {
    const worked = [opened(1), agentBegun(1), ended(1, { claim })];
    expect(decidedAt(90_000, ...worked)).toMatchObject([{ kind: 'wait' }]);
    expect(decidedAt(90_000, ...worked, found(alive))).toMatchObject([{ kind: 'do', effect: { kind: 'run-gates' } }]);
  });

  it('ends the run after that iteration when it finds a dead gate', () => {
    const dead: GateLife = { command, state: 'dead', files: [], why: 'stays green' };
    const over = [opened(1), agentBegun(1), ended(1), found(dead), gatesBegun(1, gates), green(1), closed(1)];
    expect(decidedAt(90_000, ...over)).toMatchObject([{ kind: 'stop', outcome: { stop_reason: 'dead_gate', exit_code: 2 } }]);
  });
});
