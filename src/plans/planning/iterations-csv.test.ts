import { expect, it } from 'vitest';
import { given } from '../../../test/support/given.ts';
import { closed, opened } from '../../../test/support/run-events.ts';
import { seen, turnBegun } from '../../../test/support/stories-journal.ts';
import { approved, story, storyPlan } from '../../../test/support/stories-spec.ts';
import { iterationsCsv } from './archive-plan.ts';

const recorded = (iteration: number, head: string, plan = storyPlan(story('a'))) =>
  ({ type: 'stories.recorded', key: `r${iteration}`, iteration, plan, moved: true, at_cap: false, weak: false, head, commit: null, problem: null }) as const;

it('every iteration has a line with its mode, duration, commit, and the number of iterations in a row without one', () => {
  const events = given(
    seen(storyPlan(story('a'))),
    opened(1),
    turnBegun(1, 'implement', 'a'),
    recorded(1, 'h0'),
    closed(1),
    opened(2),
    turnBegun(2, 'review', 'a'),
    recorded(2, 'h1', storyPlan(approved('a'))),
    closed(2),
    opened(3),
    turnBegun(3, 'implement', 'b'),
  );
  expect(iterationsCsv([events]).split('\n')).toEqual([
    'iteration,mode,duration_seconds,commit_hash,stories_complete,stories_total,stuck_count,timestamp',
    '1,implement,3,h0,0,1,1,1970-01-01T00:00:05.000Z',
    '2,review,3,h1,1,1,0,1970-01-01T00:00:09.000Z',
    '',
  ]);
});
