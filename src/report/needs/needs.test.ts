import { describe, expect, it } from 'vitest';
import { given, runStarted } from '../../../test/support/given.ts';
import { spentUsd } from '../../../test/support/loop-journal.ts';
import { closed, ended, opened } from '../../../test/support/run-events.ts';
import { testSettings } from '../../../test/support/run-settings.ts';
import { begun, doneTask, mergeBegun, merged, released, settled } from '../../../test/support/work-journal.ts';
import { workSettings } from '../../../test/support/work-spec.ts';
import type { EventBody } from '../../journal/events/journal-event.ts';
import type { MergeJudged } from '../../journal/events/work.ts';
import { evolve } from '../../journal/evolve/evolve.ts';
import { emptyState } from '../../journal/state/state.ts';
import { notDone, type StopReason } from '../../journal/words/outcome.ts';
import { needKey, needsOf } from './needs.ts';

const needsAfter = (...bodies: readonly EventBody[]) => needsOf(given(runStarted(testSettings()), ...bodies).reduce(evolve, emptyState));
const asked = (text: string, story: string | null = null, kind: 'blocked' | 'held' = 'blocked'): EventBody => {
  return { type: 'question.asked', iteration: 1, story, question: { kind, text } };
};
const answered: EventBody = { type: 'question.answered', story: null, answer: 'yes', by: 'ann' };
const stopped = (reason: StopReason, code = 1): EventBody => ({ type: 'run.stopped', outcome: notDone(reason, reason, code) });
const waiting = stopped('waiting', 3);

const HELD = {
  result: 'held',
  proof: { verdict: 'held', level: 'green', tree: 't', results: [], changed: [], allowed: [], allowed_by: null, gates: [], reason: 'a test has changed' },
} as const satisfies Partial<MergeJudged>;

describe('what waits for a person', () => {
  it('is an open question with the words of the agent, since it was asked, and the command that answers it', () => {
    const [need, ...others] = needsAfter(asked('Which account?', "it's"), waiting);
    expect(others).toEqual([]);
    expect(need).toMatchObject({ kind: 'question', task: "it's", iteration: 1, text: 'Which account?', sinceMs: 2_000 });
    expect(need?.command).toMatch(/^ralph answer --run \S+ --task 'it'\\''s' "…"$/);
  });

  it('is a held claim, which is accepted and not answered', () => {
    expect(needsAfter(asked('changed a test', 'S-1', 'held'), stopped('held', 3))).toMatchObject([
      { kind: 'held', command: expect.stringMatching(/^ralph accept \S+ --task S-1$/) },
    ]);
  });

  it('is an edit of the operator that an agent’s version could not replace, also when the run is done', () => {
    const ref = 'refs/ralph/kept/r/files/1-2';
    const kept: EventBody = { type: 'wall.refused', what: 'history', target: 'your own change stays', kept: { ref, paths: ['a.txt', "it's"] } };
    const need = { kind: 'kept', task: null, text: expect.stringContaining(`git diff HEAD ${ref}`), command: `git checkout ${ref} -- a.txt 'it'\\''s'` };
    expect(needsAfter(kept)).toMatchObject([need]);
    expect(needsAfter(kept, stopped('completed', 0))).toMatchObject([need]);
  });

  it('comes with questions first, then the oldest first', () => {
    expect(needsAfter(asked('one', 'S-1', 'held'), asked('two', 'S-2'), asked('three', 'S-3')).map(({ text }) => text)).toEqual(['two', 'three', 'one']);
  });

  it('is a run that nothing but a person helps, if nothing else says why', () => {
    expect(needsAfter(stopped('stuck'))).toMatchObject([{ kind: 'stuck', command: expect.stringMatching(/^ralph runs resume /) }]);
    expect(needsAfter(asked('why?'), stopped('stuck'))).toMatchObject([{ kind: 'question' }]);
  });

  it('is a check that is dead, an agent that is logged out, and a cost limit of which most is spent, until it is raised', () => {
    expect(needsAfter(stopped('dead_gate', 2))).toMatchObject([{ kind: 'dead', task: null }]);
    const login = ended(1, { verdict: 'failed', why: 'Invalid API key', cause: { class: 'permanent', kind: 'login' } });
    expect(needsAfter(opened(1), login, stopped('fatal', 4))).toMatchObject([{ kind: 'login' }]);

    const spent: EventBody[] = [runStarted(testSettings({ budget: { costUsd: 10, timeMs: 0 } })), opened(1), ended(1, { spent: spentUsd(8.5) })];
    const near: EventBody[] = [...spent, { type: 'budget.neared', spent_usd: 8.5, limit_usd: 10, estimated: false }];
    const needs = (...bodies: readonly EventBody[]) => needsOf(given(...bodies).reduce(evolve, emptyState));
    expect(needs(...near)).toMatchObject([
      { kind: 'budget', sinceMs: 4_000, text: '$8.50 of the cost limit of $10.00 is spent: raise it, or the run stops there' },
    ]);
    expect(needs(...near, { type: 'operator.instructed', instruction: { kind: 'budget', usd: 20 }, by: 'ann' })).toEqual([]);
    expect(needs(...near, stopped('budget_exhausted'))).toEqual([]);
  });

  it('keeps its key as long as it is open, whatever else happens in the run', () => {
    const parked = [...begun(1, 'T-1'), settled(1), mergeBegun(1), merged(1, HELD), released(1, 'T-1', 'parked'), closed(1, { result: 'red' })];
    const keys = (...bodies: readonly EventBody[]) => needsOf(given(runStarted(workSettings()), ...parked, ...bodies).reduce(evolve, emptyState)).map(needKey);
    expect(keys()).toHaveLength(1);
    expect(keys(...doneTask(2, 'T-2'))).toEqual(keys());
  });

  it.each(['max_iterations', 'interrupted', 'budget_exhausted', 'timeout'] as const)('is not a run that a limit or its operator has ended: %s', (reason) => {
    expect(needsAfter(stopped(reason))).toEqual([]);
  });

  it('is over with the answer: then the run waits to be resumed, and when it is done, for nobody', () => {
    expect(needsAfter(asked('Which?'), waiting, answered)).toMatchObject([{ kind: 'stuck', text: 'Its questions are answered, and it waits to be resumed.' }]);
    expect(needsAfter(asked('Which?'), answered)).toEqual([]);
    expect(needsAfter(asked('Which?'), stopped('completed', 0))).toEqual([]);
  });
});
