import { describe, expect, it } from 'vitest';
import { given, runStarted } from '../../test/support/given.ts';
import { loopSettings } from '../../test/support/loop-spec.ts';
import { agentBegun, closed, ended, gatesBegun, judged, opened } from '../../test/support/run-events.ts';
import { decide } from '../core/decide.ts';
import { evolve } from '../core/evolve.ts';
import { emptyState } from '../core/state.ts';
import type { AttemptEnded } from '../model/events/attempt.ts';
import type { GatesJudged } from '../model/events/gates.ts';
import type { EventBody } from '../model/events/journal-event.ts';
import type { RunSettings } from '../model/run-settings.ts';
import { run } from './run.ts';

const claim = { by: 'tag', text: 'COMPLETE' } as const;
const plain = loopSettings();
const { gates } = plain;

const verdict = (iteration: number, code: number, over: Partial<GatesJudged> = {}): EventBody =>
  judged(
    iteration,
    gates.map((gate) => [gate, code]),
    { tree: 't1', tree_after: 't1', head: 'c0', head_tree: 't0', ...over },
  );
const spent = (cost_usd: number | null) => ({ input: 1, cache_read: 0, cache_write: 0, output: 1, cost_usd, estimated: false });
const worked = (iteration: number, over: Partial<AttemptEnded> = {}): EventBody[] => [agentBegun(iteration), ended(iteration, { spent: spent(0.05), ...over })];

function stateAfter(bodies: readonly EventBody[], settings: RunSettings) {
  const started = { ...runStarted(settings), found: { head: 'c0', tree: 't0', problem: null, dirty: [], dirty_count: 0 } };
  return given(started, ...bodies).reduce(evolve, emptyState);
}

function decided(bodies: readonly EventBody[], settings: RunSettings = plain, nowMs = 1_000 * (bodies.length + 2)) {
  return decide(run, { state: stateAfter(bodies, settings), settings, nowMs });
}

describe('a loop', () => {
  it('gives each agent a clean context: what changed since the start, what was red, and how far it is', () => {
    expect(decided([opened(1)])).toMatchObject([{ kind: 'do', effect: { context: { since: 't0', error: '', progress: '', red_at_start: [] } } }]);
    const redOnce = [opened(1), ...worked(1), gatesBegun(1, gates), verdict(1, 1), closed(1, { result: 'red' }), opened(2)];
    expect(decided(redOnce)).toMatchObject([
      {
        kind: 'do',
        effect: {
          context: { since: 't0', progress: expect.stringContaining('Iteration 1 — FAIL') },
          failures: [{ check: 'make test', message: expect.any(String) }],
        },
      },
    ]);
    const crashed = [opened(1), ...worked(1, { verdict: 'failed', why: 'LLM API down' }), gatesBegun(1, gates), verdict(1, 1), closed(1, { result: 'failed' })];
    expect(decided([...crashed, opened(2)])).toMatchObject([{ kind: 'do', effect: { context: { error: 'LLM API down' } } }]);
  });

  it('ends well with green checks and the tag, in the words of seed 004', () => {
    const good = [opened(1), ...worked(1, { claim }), gatesBegun(1, gates), verdict(1, 0)];
    expect(decided(good)).toMatchObject([{ kind: 'say', event: { type: 'iteration.closed', accepted: true } }]);
    const accepted = [...good, closed(1, { result: 'green', claim, accepted: true })];
    const [receipt] = decided(accepted);
    expect(receipt).toMatchObject({
      kind: 'do',
      effect: { kind: 'write-receipt', receipt: { tree: 't1', commit: null, checks: [{ command: 'make test', exit_code: 0 }] } },
    });
    const written: EventBody = { type: 'receipt.written', key: 'receipt', file: 'receipt.json', commit: null };
    expect(decided([...accepted, written])).toMatchObject([{ kind: 'stop', outcome: { stop_reason: 'all_checks_passed', exit_code: 0, unproven: false } }]);
  });

  it.each([
    ['always', [false, false]],
    ['auto', [false, true]],
    ['never', [true, true]],
  ] as const)('with the tag asked for %s accepts green checks without one: %j', (requireTag, [first, second]) => {
    const settings = loopSettings({ requireTag });
    const one = [opened(1), ...worked(1), gatesBegun(1, gates), verdict(1, 0)];
    expect(decided(one, settings)).toMatchObject([{ kind: 'say', event: { result: 'green', accepted: first, claim: null } }]);
    const two = [...one, closed(1, { result: 'green' }), opened(2), ...worked(2), gatesBegun(2, gates), verdict(2, 0)];
    expect(decided(two, settings)).toMatchObject([{ kind: 'say', event: { result: 'green', accepted: second } }]);
  });
});

describe('the budget of a loop', () => {
  const settings = loopSettings({ budget: { costUsd: 0.1, timeMs: 0 } });
  const failing = (iteration: number, cost: number | null): EventBody[] => [
    opened(iteration),
    ...worked(iteration, { spent: spent(cost) }),
    gatesBegun(iteration, gates),
    verdict(iteration, 1),
    closed(iteration, { result: 'red' }),
  ];

  it('is kept between iterations: 0.05 each and a limit of 0.10 are two', () => {
    expect(decided(failing(1, 0.05), settings)).toMatchObject([{ kind: 'say', event: { type: 'iteration.opened', iteration: 2 } }]);
    expect(decided([...failing(1, 0.05), ...failing(2, 0.05)], settings)).toMatchObject([
      { kind: 'stop', outcome: { stop_reason: 'budget_exhausted', exit_code: 1 } },
    ]);
  });

  it('tells each agent what is left', () => {
    expect(decided([...failing(1, 0.04), opened(2)], settings)).toMatchObject([{ kind: 'do', effect: { budget_usd: expect.closeTo(0.06) } }]);
  });

  it('is taken for spent when an attempt does not say what it cost', () => {
    expect(decided(failing(1, null), settings)).toMatchObject([
      { kind: 'stop', outcome: { stop_reason: 'budget_exhausted', message: expect.stringContaining('did not say') } },
    ]);
  });

  it('does not take back a good end that it paid for', () => {
    const good = [opened(1), ...worked(1, { claim, spent: spent(5) }), gatesBegun(1, gates), verdict(1, 0)];
    expect(decided(good, settings)).toMatchObject([{ kind: 'say', event: { accepted: true } }]);
  });

  it('starts no further attempt once it is spent, and leaves the iteration', () => {
    const empty = [opened(1), agentBegun(1), ended(1, { verdict: 'empty', spent: spent(0.2) })];
    expect(decided(empty, settings)).toMatchObject([{ kind: 'say', event: { result: 'abandoned' } }]);
  });
});

describe('the time of a loop', () => {
  const settings = loopSettings({ budget: { costUsd: null, timeMs: 60_000 } });

  it('travels with what is done, and ends waits', () => {
    expect(decided([opened(1)], settings)).toMatchObject([{ kind: 'do', effect: { until: 61_000 } }]);
    const limited = [opened(1), agentBegun(1), ended(1, { verdict: 'limited', limit_resets_at: 900_000 })];
    expect(decided(limited, settings)).toEqual([{ kind: 'wait', untilMs: 61_000 }]);
    expect(decided(limited, settings, 61_000)).toMatchObject([{ kind: 'say', event: { result: 'abandoned' } }]);
  });

  it('keeps and judges what an agent left that was cut off, with the checks’ own time', () => {
    const cut = [opened(1), ...worked(1, { verdict: 'failed', why: 'the agent was stopped' })];
    expect(decided(cut, settings, 61_000)).toMatchObject([{ kind: 'do', effect: { kind: 'run-gates', until: null } }]);
    const green = [...cut, gatesBegun(1, gates), verdict(1, 0)];
    expect(decided(green, settings, 62_000)).toMatchObject([{ kind: 'say', event: { result: 'failed', accepted: false } }]);
    expect(decided([...green, closed(1, { result: 'failed' })], settings, 62_000)).toMatchObject([
      { kind: 'stop', outcome: { stop_reason: 'timeout', exit_code: 1 } },
    ]);
  });

  it('ends checks that run into it', () => {
    expect(decided([opened(1), ...worked(1)], settings)).toMatchObject([{ kind: 'do', effect: { kind: 'run-gates', until: 61_000 } }]);
  });

  it('does not run while nobody is at work', () => {
    const resumed: EventBody = { type: 'run.resumed', ralph: '0', writer: { host: 'h', boot_id: 'b', pid: 1, start_time: '1' } };
    const state = given(runStarted(settings), opened(1), closed(1)).reduce(evolve, emptyState);
    const later = evolve(state, { v: 1, seq: 4, at: 1_000_000, body: resumed });
    expect(decide(run, { state: later, settings, nowMs: 1_000_000 })).toMatchObject([{ kind: 'say', event: { type: 'iteration.opened' } }]);
    expect(decide(run, { state: later, settings, nowMs: 1_058_000 })).toMatchObject([{ kind: 'stop', outcome: { stop_reason: 'timeout' } }]);
  });
});

describe('the start of a loop', () => {
  const atStart = (code: number): EventBody => verdict(0, code, { key: 'gates:start', attempt: 0, where: 'start', tree: null, tree_after: null });

  it('is judged once before the first iteration, and the agent is told what was red already', () => {
    const settings = loopSettings({ baseline: true });
    expect(decided([], settings)).toMatchObject([{ kind: 'do', effect: { kind: 'run-gates', key: 'gates:start', where: 'start', iteration: 0 } }]);
    const [start] = decided([], settings);
    if (start?.kind !== 'do') throw new Error('nothing begun');
    const begun: EventBody = { type: 'effect.begun', key: start.effect.key, effect: start.effect };
    expect(decided([begun], settings)).toEqual([]);
    expect(decided([begun, atStart(1)], settings)).toMatchObject([{ kind: 'say', event: { type: 'iteration.opened', iteration: 1 } }]);
    expect(decided([begun, atStart(1), opened(1)], settings)).toMatchObject([{ kind: 'do', effect: { context: { red_at_start: ['make test'] } } }]);
  });

  it('that is green does not end the run by itself', () => {
    expect(decided([atStart(0)], loopSettings({ baseline: true, requireTag: 'never' }))).toMatchObject([{ kind: 'say', event: { type: 'iteration.opened' } }]);
  });

  it('ends a run whose witness is green already: it could prove nothing', () => {
    const settings = loopSettings({ witnesses: ['make test'] });
    expect(decided([], settings)).toMatchObject([{ kind: 'do', effect: { where: 'start', gates: [{ command: 'make test' }] } }]);
    expect(decided([atStart(0)], settings)).toMatchObject([
      { kind: 'stop', outcome: { stop_reason: 'fatal', exit_code: 2, message: expect.stringContaining('witness') } },
    ]);
    expect(decided([atStart(1)], settings)).toMatchObject([{ kind: 'say', event: { type: 'iteration.opened' } }]);
  });
});

describe('protected paths of a loop', () => {
  const settings = loopSettings({ protect: ['tests/**'] });
  const restored = (paths: string[]): EventBody => ({
    type: 'paths.restored',
    key: 'put-back:1.1',
    iteration: 1,
    attempt: 1,
    paths,
    kept: 'refs/ralph/kept/r/1.1',
  });

  it('are looked at after every attempt, before the checks', () => {
    expect(decided([opened(1), ...worked(1)], settings)).toMatchObject([
      { kind: 'do', effect: { kind: 'put-back', tree: 't0', protect: ['tests/**'], attempt: 1 } },
    ]);
    expect(decided([opened(1), ...worked(1), restored([])], settings)).toMatchObject([{ kind: 'do', effect: { kind: 'run-gates' } }]);
  });

  it('turn the iteration red when they were touched, whatever the checks say, and the next agent is told which', () => {
    const cheated = [opened(1), ...worked(1, { claim }), restored(['tests/a.test.ts']), gatesBegun(1, gates), verdict(1, 0)];
    expect(decided(cheated, settings)).toMatchObject([{ kind: 'say', event: { result: 'red', accepted: false } }]);
    expect(decided([...cheated, closed(1, { result: 'red', claim }), opened(2)], settings)).toMatchObject([
      { kind: 'do', effect: { failures: [{ message: expect.stringContaining('tests/a.test.ts') }] } },
    ]);
  });
});

describe('a loop that verifies in a clean checkout', () => {
  const settings = loopSettings({ verifyClean: true });
  const good = [opened(1), ...worked(1, { claim }), gatesBegun(1, gates), verdict(1, 0)];
  const clean = (code: number) => verdict(1, code, { key: 'verify:1.1~1', where: 'clean' });

  it('runs all checks there once all is green and claimed, and not before', () => {
    expect(decided([opened(1), ...worked(1), gatesBegun(1, gates), verdict(1, 0)], settings)).toMatchObject([{ kind: 'say', event: { accepted: false } }]);
    expect(decided(good, settings)).toMatchObject([{ kind: 'do', effect: { kind: 'run-gates', where: 'clean', tree: 't1' } }]);
  });

  it('is done only if they are green there too; else the next agent is told', () => {
    expect(decided([...good, clean(0)], settings)).toMatchObject([{ kind: 'say', event: { result: 'green', accepted: true } }]);
    const stray = [...good, clean(1)];
    expect(decided(stray, settings)).toMatchObject([{ kind: 'say', event: { result: 'red', accepted: false } }]);
    expect(decided([...stray, closed(1, { result: 'red', claim }), opened(2)], settings)).toMatchObject([
      { kind: 'do', effect: { failures: [{ message: expect.stringContaining('fresh checkout') }] } },
    ]);
  });
});

describe('a loop that commits', () => {
  const settings = loopSettings(
    { worktree: { path: '/w', branch: 'ralph/r', repository: '/r' } },
    { scm: { command: 'git', tasks: ['commit'], timeoutMs: 0, message: 'generated' } },
  );

  it('words its commits itself, and says of which run they are', () => {
    const green = [opened(1), ...worked(1), gatesBegun(1, gates), verdict(1, 0)];
    expect(decided(green, settings)).toMatchObject([
      { kind: 'do', effect: { kind: 'commit', message: 'Iteration 1: Do the work.\n\nRalph-Run: r/1', tree: 't1' } },
    ]);
  });

  it('names the commit in its receipt only if that holds the proven tree', () => {
    const made: EventBody = { type: 'commit.made', key: 'commit:1.0', iteration: 1, commit: 'c1', tree: 't1', message: 'x', left_out: [] };
    const good = [opened(1), ...worked(1, { claim }), gatesBegun(1, gates), verdict(1, 0), made, closed(1, { result: 'green', claim, accepted: true })];
    expect(decided(good, settings)).toMatchObject([{ kind: 'do', effect: { kind: 'write-receipt', receipt: { commit: 'c1', tree: 't1' } } }]);
  });
});
