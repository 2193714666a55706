import { describe, expect, it } from 'vitest';
import { approved, story, storyPlan } from '../../../test/support/stories-spec.ts';
import { acceptPersonalEdits } from './accept-personal-edits.ts';
import type { PlanForm } from './read-form.ts';

const rules = { cap: 5, skipReview: false };
const skip = { cap: 5, skipReview: true };
const form = (plan: unknown): PlanForm => ({ kind: 'text', text: JSON.stringify(plan) });
const waiting = story('W', { reviewStatus: 'needs_review', reviewCount: 2 });
const rejected = story('R', { reviewStatus: 'changes_requested', reviewCount: 1, reviewFeedback: 'No test', notes: 'Built it' });
const truth = storyPlan(story('A'), approved('D'), waiting, rejected);

describe('at the start of a run', () => {
  it('a valid list is accepted', () => {
    expect(acceptPersonalEdits(null, form(truth), rules)).toEqual({ plan: truth, problem: null, changes: [] });
  });

  it.each<[string, PlanForm, string]>([
    ['is missing', { kind: 'missing' }, 'tasks.json is missing'],
    ['is a link', { kind: 'refused', why: 'is a symbolic link' }, 'tasks.json is a symbolic link'],
    ['is not JSON', { kind: 'text', text: '{' }, 'Task list validation failed: tasks.json is not valid JSON'],
    ['has no stories', form(storyPlan()), 'no stories'],
    ['has a story twice', form(storyPlan(story('A'), story('A'))), 'Duplicate story ID'],
    ['is out of sync', form(storyPlan(story('A', { passes: true, notes: 'n' }))), 'Review integrity check failed: Story A has passes=true'],
    ['has more reviews than it may', form(storyPlan(story('A', { reviewCount: 9 }))), 'reviewCount 9'],
  ])('a list that %s is a problem, reported on one line', (_, wrong, why) => {
    const { plan, problem, changes } = acceptPersonalEdits(null, wrong, rules);
    expect({ plan, changes }).toEqual({ plan: null, changes: [] });
    expect(problem).toContain(why);
    expect(problem).not.toContain('\n');
  });

  it('a list from before there were reviews gets their fields', () => {
    const bare = { id: 'US-1', title: 'First', acceptanceCriteria: ['It works'], priority: 1, passes: false };
    const older = { project: 'demo', branchName: 'ralph/demo', userStories: [bare, { ...bare, id: 'US-2' }] };
    const { plan, problem, changes } = acceptPersonalEdits(null, form(older), rules);
    expect(problem).toBeNull();
    expect(plan).toEqual({
      ...older,
      description: '',
      verifyCommands: [],
      userStories: ['US-1', 'US-2'].map((id) => story(id, { title: 'First' })),
    });
    expect(changes).toEqual([expect.stringContaining('before there were reviews')]);
  });

  it('nothing is guessed where one story has such a field', () => {
    const { reviewFeedback: _, ...half } = story('A');
    expect(acceptPersonalEdits(null, form({ ...truth, userStories: [half] }), rules).problem).toContain("missing required field 'reviewFeedback'");
  });

  it('without reviews, stories in review are implemented again', () => {
    const { plan, changes } = acceptPersonalEdits(null, form(truth), skip);
    expect(plan?.userStories).toEqual([
      story('A'),
      approved('D'),
      story('W', { reviewCount: 2 }),
      story('R', { reviewCount: 1, notes: 'Built it\nReview feedback: No test' }),
    ]);
    expect(changes).toEqual([expect.stringContaining('Story W was needs_review'), expect.stringContaining('Story R was changes_requested')]);
  });

  it('without reviews an approval that does not pass is ignored, and a passing story needs no approval', () => {
    const stories = [story('A', { reviewStatus: 'approved' }), story('B', { passes: true, notes: 'n' })];
    expect(acceptPersonalEdits(null, form(storyPlan(...stories)), skip).plan?.userStories).toEqual([story('A'), stories[1]]);
  });
});

describe('during a run', () => {
  it('nothing is reported where nothing was changed', () => {
    expect(acceptPersonalEdits(truth, form(truth), rules)).toEqual({ plan: truth, problem: null, changes: [] });
  });

  it("a person's valid edits are accepted and reported", () => {
    const edited = {
      ...truth,
      project: 'other',
      userStories: [
        rejected,
        approved('D'),
        story('A', { title: 'Better', acceptanceCriteria: [...story('A').acceptanceCriteria, 'More'], priority: 4 }),
        story('N'),
        { ...waiting, reviewStatus: null, reviewCount: 0 },
      ],
    };
    expect(acceptPersonalEdits(truth, form(edited), rules)).toEqual({
      plan: edited,
      problem: null,
      changes: [
        'The list was changed: project.',
        'Story A was changed: title, acceptanceCriteria, priority (1 → 4).',
        'Story N was added: Title of N',
        'Story W was changed: reviewStatus (needs_review → null), reviewCount (2 → 0).',
        'The stories are in another order.',
      ],
    });
  });

  it.each<[string, unknown]>([
    [
      'is approved',
      { ...truth, userStories: truth.userStories.map((each) => (each.id === 'D' ? each : { ...approved(each.id, { notes: each.notes || 'n' }) })) },
    ],
    ['passes', { ...truth, userStories: [story('A', { passes: true, notes: 'n' }), approved('D'), waiting, rejected] }],
    ['is approved and does not pass', { ...truth, userStories: [story('A', { reviewStatus: 'approved' }), approved('D'), waiting, rejected] }],
  ])('no story %s by hand', (_, edited) => {
    const { plan, problem, changes } = acceptPersonalEdits(truth, form(edited), rules);
    expect(problem).toBeNull();
    expect(plan?.userStories.map(({ passes, reviewStatus, reviewCount, reviewFeedback }) => [passes, reviewStatus, reviewCount, reviewFeedback])).toEqual(
      truth.userStories.map(({ passes, reviewStatus, reviewCount, reviewFeedback }) => [passes, reviewStatus, reviewCount, reviewFeedback]),
    );
    expect(changes.join('\n')).toContain('the loop cannot tell your hand from a process an agent left behind');
  });

  it('no story can be removed or lose criteria, since that would make a list complete', () => {
    const edited = { ...truth, userStories: [story('A', { acceptanceCriteria: ['Less'] }), approved('D')] };
    const { plan, changes } = acceptPersonalEdits(truth, form(edited), rules);
    expect(plan?.userStories.map(({ id }) => id)).toEqual(['A', 'D', 'W', rejected.id]);
    expect(plan?.userStories[0]?.acceptanceCriteria).toEqual([...story('A').acceptanceCriteria, 'Less']);
    expect(changes.filter((line) => line.includes('stop the run'))).toHaveLength(3);
  });

  it('no new story begins as approved, with reviews or without', () => {
    for (const how of [rules, skip]) {
      const { plan } = acceptPersonalEdits(truth, form({ ...truth, userStories: [...truth.userStories, approved('N')] }), how);
      expect(plan?.userStories.find(({ id }) => id === 'N')).toEqual(story('N', { notes: 'done' }));
    }
  });

  it('a person may send a story back, but only the loop counts reviews', () => {
    const sent = { ...waiting, reviewStatus: 'changes_requested' as const, reviewFeedback: 'I do not like it', reviewCount: 4 };
    const { plan, changes } = acceptPersonalEdits(truth, form({ ...truth, userStories: [story('A'), approved('D'), sent, rejected] }), rules);
    expect(plan?.userStories[2]).toEqual({ ...sent, reviewCount: 2 });
    expect(changes).toHaveLength(2);
  });

  it('invalid edits are not accepted', () => {
    expect(acceptPersonalEdits(truth, form({ ...truth, userStories: [] }), rules)).toMatchObject({
      plan: null,
      problem: expect.stringContaining('no stories'),
    });
    expect(acceptPersonalEdits(truth, { kind: 'missing' }, rules).plan).toBeNull();
    expect(acceptPersonalEdits(truth, form(storyPlan(story('A', { dependsOn: ['nobody'] }))), rules).plan).toBeNull();
    expect(acceptPersonalEdits(truth, form({ ...truth, userStories: [story('A', { reviewStatus: 'changes_requested' })] }), rules).problem).toContain(
      'feedback required',
    );
  });
});
