import { describe, expect, it } from 'vitest';
import { claim, decided, gates, verdict, worked } from '../../../test/support/loop-decisions.ts';
import { loopSettings } from '../../../test/support/loop-spec.ts';
import { agentBegun, closed, ended, gatesBegun, opened } from '../../../test/support/run-events.ts';
import type { GatesJudged } from '../../journal/events/gates.ts';
import type { EventBody } from '../../journal/events/journal-event.ts';

describe('a loop', () => {
  it('gives each agent a clean context: the changes since the start, what was red, and the progress', () => {
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

  it('succeeds with green checks and the tag, in the words of seed 004', () => {
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
  ] as const)('with the tag required "%s" accepts green checks without it: %j', (requireTag, [first, second]) => {
    const settings = loopSettings({ requireTag });
    const one = [opened(1), ...worked(1), gatesBegun(1, gates), verdict(1, 0)];
    expect(decided(one, settings)).toMatchObject([{ kind: 'say', event: { result: 'green', accepted: first, claim: null } }]);
    const two = [...one, closed(1, { result: 'green' }), opened(2), ...worked(2), gatesBegun(2, gates), verdict(2, 0)];
    expect(decided(two, settings)).toMatchObject([{ kind: 'say', event: { result: 'green', accepted: second } }]);
  });
});

describe('the start of a loop', () => {
  const atStart = (code: number): EventBody => verdict(0, code, { key: 'gates:start', attempt: 0, where: 'start', tree: null, tree_after: null });

  it('is judged once before the first iteration, and the agent learns what was red already', () => {
    const settings = loopSettings({ baseline: true });
    expect(decided([], settings)).toMatchObject([{ kind: 'do', effect: { kind: 'run-gates', key: 'gates:start', where: 'start', iteration: 0 } }]);
    const [start] = decided([], settings);
    if (start?.kind !== 'do') throw new Error('nothing begun');
    const begun: EventBody = { type: 'effect.begun', key: start.effect.key, effect: start.effect };
    expect(decided([begun], settings)).toEqual([]);
    expect(decided([begun, atStart(1)], settings)).toMatchObject([{ kind: 'say', event: { type: 'iteration.opened', iteration: 1 } }]);
    expect(decided([begun, atStart(1), opened(1)], settings)).toMatchObject([{ kind: 'do', effect: { context: { red_at_start: ['make test'] } } }]);
  });

  it('includes what the checks leave behind: an agent that does nothing has changed nothing', () => {
    const settings = loopSettings({ baseline: true });
    const littered = verdict(0, 1, { key: 'gates:start', attempt: 0, where: 'start', tree: 't0', tree_after: 't0-report' });
    const idle = [littered, opened(1), ...worked(1, { claim }), gatesBegun(1, gates), verdict(1, 0, { tree: 't0-report', tree_after: 't0-report' })];
    expect(decided(idle, settings)).toMatchObject([{ kind: 'say', event: { accepted: true, zero_work: true } }]);
  });

  it('does not end the run because everything is green', () => {
    expect(decided([atStart(0)], loopSettings({ baseline: true, requireTag: 'never' }))).toMatchObject([{ kind: 'say', event: { type: 'iteration.opened' } }]);
  });

  it('ends a run whose witness is already green: it could prove nothing', () => {
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

  it('are checked after every attempt, before the checks run', () => {
    expect(decided([opened(1), ...worked(1)], settings)).toMatchObject([
      { kind: 'do', effect: { kind: 'put-back', tree: 't0', protect: ['tests/**'], attempt: 1 } },
    ]);
    expect(decided([opened(1), ...worked(1), restored([])], settings)).toMatchObject([{ kind: 'do', effect: { kind: 'run-gates' } }]);
  });

  it('are also reverted when the iteration is abandoned, except on an abort', () => {
    const limited = [opened(1), agentBegun(1), ended(1, { verdict: 'limited', limit_resets_at: 99_000_000 })];
    expect(decided(limited, settings)).toMatchObject([{ kind: 'do', effect: { kind: 'put-back' } }]);
    const abort: EventBody = { type: 'operator.asked', what: 'abort', by: 'SIGINT' };
    expect(decided([...limited, abort], settings)).toMatchObject([{ kind: 'say', event: { result: 'abandoned' } }]);
  });

  it('make the iteration red when they were changed, whatever the checks say, and the next agent learns which', () => {
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

  it('runs all checks there once everything is green and claimed, and not before', () => {
    expect(decided([opened(1), ...worked(1), gatesBegun(1, gates), verdict(1, 0)], settings)).toMatchObject([{ kind: 'say', event: { accepted: false } }]);
    expect(decided(good, settings)).toMatchObject([{ kind: 'do', effect: { kind: 'run-gates', where: 'clean', tree: 't1' } }]);
  });

  it('skips the verification on an abort, and accepts nothing', () => {
    const abort: EventBody = { type: 'operator.asked', what: 'abort', by: 'caller' };
    expect(decided([...good, abort], settings)).toMatchObject([{ kind: 'say', event: { result: 'abandoned', accepted: false } }]);
    expect(decided([...good, clean(0), abort], settings)).toMatchObject([{ kind: 'say', event: { accepted: true } }]);
    const rewritten = [opened(1), ...worked(1, { claim }), gatesBegun(1, gates), verdict(1, 0, { tree_after: 't1-formatted' }), abort];
    expect(decided(rewritten, loopSettings())).toMatchObject([{ kind: 'say', event: { result: 'abandoned', accepted: false } }]);
  });

  it('is done only if the checks are green there too; otherwise the next agent is told', () => {
    expect(decided([...good, clean(0)], settings)).toMatchObject([{ kind: 'say', event: { result: 'green', accepted: true } }]);
    const stray = [...good, clean(1)];
    expect(decided(stray, settings)).toMatchObject([{ kind: 'say', event: { result: 'red', accepted: false } }]);
    expect(decided([...stray, closed(1, { result: 'red', claim }), opened(2)], settings)).toMatchObject([
      { kind: 'do', effect: { failures: [{ message: expect.stringContaining('fresh checkout') }] } },
    ]);
  });
});

it('a proof after a clean verification is told how many tests ran there', () => {
  const settings = loopSettings({ verifyClean: true }, { proof: { level: 'green', mayChange: [] } });
  const seen = verdict(1, 0, { key: 'verify:1.1~1', where: 'clean' }) as GatesJudged;
  const counted = { ...seen, results: seen.results.map((result) => ({ ...result, tests: 3 })) };
  const good = [opened(1), ...worked(1, { claim }), gatesBegun(1, gates), verdict(1, 0), counted];
  expect(decided(good, settings)).toMatchObject([{ effect: { kind: 'prove', seen_clean: true, seen_tests: [{ command: 'make test', tests: 3 }] } }]);
});

describe('a loop that commits', () => {
  const settings = loopSettings(
    { worktree: { path: '/w', branch: 'ralph/r', repository: '/r' } },
    { scm: { command: 'git', tasks: ['commit'], timeoutMs: 0, message: 'generated' } },
  );

  it('writes its commit messages itself, and names the run in them', () => {
    const green = [opened(1), ...worked(1), gatesBegun(1, gates), verdict(1, 0)];
    expect(decided(green, settings)).toMatchObject([
      { kind: 'do', effect: { kind: 'commit', message: 'Iteration 1: Do the work.\n\nRalph-Run: r/1', tree: 't1' } },
    ]);
  });

  it('names the commit in its receipt only if it contains the proven tree', () => {
    const made: EventBody = { type: 'commit.made', key: 'commit:1.0', iteration: 1, commit: 'c1', tree: 't1', message: 'x', left_out: [] };
    const good = [opened(1), ...worked(1, { claim }), gatesBegun(1, gates), verdict(1, 0), made, closed(1, { result: 'green', claim, accepted: true })];
    expect(decided(good, settings)).toMatchObject([{ kind: 'do', effect: { kind: 'write-receipt', receipt: { commit: 'c1', tree: 't1' } } }]);
  });
});
