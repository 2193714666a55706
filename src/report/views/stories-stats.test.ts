import { describe, expect, it } from 'vitest';
import { given, runStarted } from '../../../test/support/given.ts';
import { ended, opened } from '../../../test/support/run-events.ts';
import { recorded, seen, stopRefused, turn, turnBegun } from '../../../test/support/stories-journal.ts';
import { approved, storiesSettings, story, storyPlan } from '../../../test/support/stories-spec.ts';
import type { EventBody } from '../../journal/events/journal-event.ts';
import { statsLines, storiesStats } from './stories-stats.ts';

const statsOf = (...journals: readonly (readonly EventBody[])[]) => storiesStats(journals.map((bodies) => given(runStarted(storiesSettings()), ...bodies)));
const spent = (cost_usd: number | null) => ({ input: 0, cache_read: 0, cache_write: 0, output: 0, cost_usd, estimated: false });
const one = story('US-001');
const ready = story('US-001', { reviewStatus: 'needs_review' });
const sentBack = story('US-001', { reviewStatus: 'changes_requested', reviewCount: 1 });
const good = approved('US-001', { reviewCount: 2 });

const first = [...turn(1, 'implement', { before: one, after: ready }), ...turn(2, 'review', { before: ready, after: sentBack })];
const second = [
  ...turn(1, 'review-fix', { before: sentBack, after: ready }),
  ...turn(2, 'review', { before: ready, after: good }, storyPlan(good, story('US-002'))),
];

describe('the statistics of stories', () => {
  it('cover all runs on them together', () => {
    expect(statsOf(first, second).stories).toEqual([
      { id: 'US-001', title: 'Title of US-001', reviews: 2, approvals: 1, rejections: 1, at_cap: false, iterations: 4 },
      { id: 'US-002', title: 'Title of US-002', reviews: 0, approvals: 0, rejections: 0, at_cap: false, iterations: 0 },
    ]);
    expect(statsOf(first, second).modes).toMatchObject({
      implement: { iterations: 1, attempts: 1, duration_ms: 4000 },
      review: { iterations: 2, attempts: 2, duration_ms: 8000 },
      'review-fix': { iterations: 1, attempts: 1, duration_ms: 4000 },
    });
  });

  it('count a story approved at the cap as neither approved nor rejected', () => {
    const capped = approved('US-001', { reviewCount: 5, reviewFeedback: '[AUTO-APPROVED AT CAP] x' });
    const stats = statsOf([seen(storyPlan(ready)), opened(1), turnBegun(1, 'review', 'US-001'), recorded(1, storyPlan(capped), { at_cap: true })]);
    expect(stats.stories).toMatchObject([{ reviews: 1, approvals: 0, rejections: 0, at_cap: true }]);
    expect(stats.cap_hits).toBe(1);
  });

  it('leave out a verdict that did not count', () => {
    const stats = statsOf([seen(storyPlan(ready)), opened(1), turnBegun(1, 'review', 'US-001'), recorded(1, storyPlan(ready), { moved: false })]);
    expect(stats.stories).toMatchObject([{ reviews: 0, approvals: 0, rejections: 0, iterations: 1 }]);
  });

  it('have no cost when one attempt did not report it', () => {
    const begun = [seen(storyPlan(one)), opened(1), turnBegun(1, 'implement', 'US-001')];
    expect(statsOf([...begun, ended(1, { spent: spent(0.5) }), ended(1, { attempt: 2, spent: spent(0.25) })]).modes.implement.cost_usd).toBe(0.75);
    expect(statsOf([...begun, ended(1, { spent: spent(0.5) }), ended(1, { attempt: 2 })]).modes.implement.cost_usd).toBeNull();
    expect(statsOf([...begun, ended(1, { verdict: 'limited' })]).modes.implement.cost_usd).toBe(0);
  });

  it('keep iterations of the same number in two runs apart', () => {
    const stats = statsOf(first, [ended(1, { duration_ms: 99 })]);
    expect(stats.modes.implement.duration_ms).toBe(4000);
  });

  it('keep a story that is no longer in the list, and count refused stops', () => {
    const stats = statsOf([...first, stopRefused(), stopRefused(), seen(storyPlan(story('US-009')))]);
    expect(stats.stories.map(({ id }) => id)).toEqual(['US-009', 'US-001']);
    expect(stats.stops_refused).toBe(2);
  });

  it('are empty without a run', () => {
    expect(statsOf()).toMatchObject({ stories: [], cap_hits: 0, stops_refused: 0, modes: { review: { iterations: 0, cost_usd: 0 } } });
  });
});

describe('the statistics for people', () => {
  it('are two tables', () => {
    expect(statsLines(statsOf(first, [...second, stopRefused()]))).toEqual([
      'STORY   ITERATIONS  REVIEWS  APPROVED  REJECTED  TITLE',
      'US-001  4           2        1         1         Title of US-001',
      'US-002  0           0        0         0         Title of US-002',
      '',
      'MODE        ITERATIONS  ATTEMPTS  TIME  COST',
      'implement   1           1         4s    unknown',
      'review      2           2         8s    unknown',
      'review-fix  1           1         4s    unknown',
      '',
      'Approved at the review cap: 0',
      'Refused stops: 1',
    ]);
  });

  it('contain no terminal escapes', () => {
    const odd = story('a\u001b[2J', { title: 'b\u001b]0;x\u0007\nc' });
    expect(statsLines(statsOf([seen(storyPlan(odd))])).join('')).not.toMatch(/\p{Cc}/u);
  });
});
