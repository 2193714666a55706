import { describe, expect, it } from 'vitest';
import { given, runStarted } from '../../../test/support/given.ts';
import { opened } from '../../../test/support/run-events.ts';
import { asked, recorded, seen, turnBegun } from '../../../test/support/stories-journal.ts';
import { approved, storiesSettings, story, storyPlan } from '../../../test/support/stories-spec.ts';
import type { EventBody } from '../../journal/events/journal-event.ts';
import { evolve } from '../../journal/evolve/evolve.ts';
import { emptyState } from '../../journal/state/state.ts';
import { storiesView } from '../../report/views/stories-view.ts';
import { storiesLines } from './stories-lines.ts';

function linesAfter(...bodies: readonly EventBody[]): readonly string[] {
  const view = storiesView(given(runStarted(storiesSettings()), ...bodies).reduce(evolve, emptyState));
  return view === null ? [] : storiesLines(view);
}

const plan = storyPlan(approved('US-001'), story('US-002'));

describe('the status of a run on stories', () => {
  it('shows the progress and the current story', () => {
    expect(linesAfter(seen(plan), opened(1), turnBegun(1, 'implement', 'US-002'))).toEqual([
      'Stories ralph/tasks.json on branch ralph/demo: 1 of 2 approved',
      'Story US-002, mode implement',
    ]);
  });

  it('shows the open question and how to answer it', () => {
    expect(linesAfter(seen(plan), asked(1, 'US-002', 'Oak\u001b[2J?\nmore')).at(-1)).toBe('US-002 needs a decision: Oak? (ralph answer "…")');
  });

  it('lists the stories approved at the cap, and what blocks the run', () => {
    const capped = [seen(plan), opened(1), turnBegun(1, 'review', 'US-001'), recorded(1, plan, { at_cap: true })];
    expect(linesAfter(...capped, seen(null, { problem: 'is no JSON' }))).toEqual([
      'Stories ralph/tasks.json on branch ralph/demo: 1 of 2 approved',
      'Story US-001, mode review',
      'The stories cannot be worked on: is no JSON',
      'Approved at the review cap: US-001',
    ]);
  });

  it('lists the approvals of reviewers that could run code, but not their rejections', () => {
    const weakly = [seen(plan), opened(1), turnBegun(1, 'review', 'US-001'), recorded(1, plan, { weak: true })];
    expect(linesAfter(...weakly).at(-1)).toBe('Approved by a reviewer that could run code (weak): US-001');
    const back = [seen(plan), opened(1), turnBegun(1, 'review', 'US-002'), recorded(1, plan, { weak: true })];
    expect(linesAfter(...back).at(-1)).toBe('Story US-002, mode review');
  });

  it('shows no counts before the stories were read', () => {
    expect(linesAfter()).toEqual(['Stories ralph/tasks.json on branch ralph/demo']);
  });
});
