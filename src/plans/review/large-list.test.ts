import { describe, expect, it } from 'vitest';
import { story, storyPlan } from '../../../test/support/stories-spec.ts';
import { settleStories } from './settle-stories.ts';
import { readStories } from './stories-text.ts';
import type { Turn } from './turn.ts';

const COUNT = 12_000;
const many = Array.from({ length: COUNT }, (_, index) =>
  story(`US-${index}`, { description: 'x'.repeat(200), dependsOn: index === 0 ? [] : [`US-${index - 1}`] }),
);
const circle = Array.from({ length: COUNT }, (_, index) => story(`N-${index}`, { dependsOn: [`N-${(index + 1) % COUNT}`] }));
const truth = storyPlan(...many);
const turn: Turn = { mode: 'implement', story: 'US-0', cap: 5, skipReview: false };

/** With anything quadratic in it this test would time out. */
describe('a list of five megabytes is judged', () => {
  it.each<[string, readonly unknown[]]>([
    ['as it was', many],
    ['emptied', []],
    ['with every story approved', many.map((each) => ({ ...each, passes: true, reviewStatus: 'approved' }))],
    ['with every story twice', [...many, ...many]],
    ['turned around', many.toReversed()],
    ['with a circle of new stories', [...many, ...circle]],
    ['with nothing but nonsense', Array.from({ length: 2_500_000 }, () => 0)],
    ['with much nonsense', Array.from({ length: 50_000 }, () => 0)],
    ['with one story that depends on the same one again and again', [{ ...story('US-0'), dependsOn: Array.from({ length: 500_000 }, () => 'US-1') }]],
  ])('%s, and reported in few lines', (_, userStories) => {
    const text = JSON.stringify({ ...truth, userStories });
    const { plan, refused } = settleStories(truth, { kind: 'text', text }, turn);
    expect(plan.userStories.slice(0, COUNT).length).toBe(COUNT);
    expect(refused.length).toBeLessThan(50);
    expect(refused.join('').length).toBeLessThan(20_000);
    readStories(text);
  });
});
