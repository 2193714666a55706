import { describe, expect, it } from 'vitest';
import { given, runStarted } from '../../../test/support/given.ts';
import { opened } from '../../../test/support/run-events.ts';
import { testSettings } from '../../../test/support/run-settings.ts';
import { answered, asked, recorded, seen, turnBegun } from '../../../test/support/stories-journal.ts';
import { approved, storiesSettings, story, storyPlan } from '../../../test/support/stories-spec.ts';
import type { EventBody } from '../../journal/events/journal-event.ts';
import { evolve } from '../../journal/evolve/evolve.ts';
import { emptyState } from '../../journal/state/state.ts';
import type { RunSettings } from '../../settings/schema/run-settings.ts';
import { runView } from './run-view.ts';

const viewOf = (settings: RunSettings, ...bodies: readonly EventBody[]) =>
  runView(given(runStarted(settings), ...bodies).reduce(evolve, emptyState), 9000).stories;
const settings = storiesSettings({ reviewCap: 3 });
const plan = storyPlan(approved('a', { reviewCount: 2 }), story('b', { reviewStatus: 'needs_review' }), story('c', { passes: true }));

describe('the view of a run on stories', () => {
  it('shows the progress, but not before the stories were read', () => {
    expect(viewOf(settings)).toMatchObject({ plan: 'ralph/tasks.json', branch: 'ralph/demo', total: null, open: null, review_cap: 3, skip_review: false });
    expect(viewOf(settings, seen(plan))).toMatchObject({ project: 'demo', total: 3, approved: 1, passes: 2, open: 2, mode: null, story: null });
  });

  it('counts passing stories when reviews are off', () => {
    expect(viewOf(storiesSettings({ skipReview: true }), seen(plan))).toMatchObject({ open: 1, skip_review: true });
  });

  it('names the current story, and counts the reviews of each, whatever its id', () => {
    const odd = storyPlan(story('__proto__', { reviewCount: 4 }), story('b'));
    const view = viewOf(settings, seen(odd), opened(1), turnBegun(1, 'review', 'b'));
    expect(view).toMatchObject({ mode: 'review', story: 'b' });
    expect(Object.entries(view?.review_count_by_story ?? {})).toEqual([
      ['__proto__', 4],
      ['b', 0],
    ]);
  });

  it('lists approvals at the cap separately', () => {
    expect(viewOf(settings, seen(plan), opened(1), turnBegun(1, 'review', 'b'), recorded(1, plan, { at_cap: true }))?.approved_at_cap).toEqual(['b']);
  });

  it('has every question, and whether it was answered', () => {
    expect(viewOf(settings, seen(plan), asked(1, 'b', 'Oak?'), asked(2, 'c', 'no key', 'blocked'), answered('yes', 'b'))?.questions).toEqual([
      { story: 'b', kind: 'question', text: 'Oak?', answered: true },
      { story: 'c', kind: 'blocked', text: 'no key', answered: false },
    ]);
  });

  it('says why the stories cannot be worked on', () => {
    expect(viewOf(settings, seen(null, { problem: 'is no JSON' }))?.trouble).toBe('is no JSON');
  });
});

describe('the view of any other run', () => {
  it('has no stories', () => {
    expect(viewOf(testSettings())).toBeNull();
  });
});
