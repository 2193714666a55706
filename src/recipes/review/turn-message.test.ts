import { describe, expect, it } from 'vitest';
import type { Story, StoryMode } from '../../journal/words/story.ts';
import { turnMessage } from './story-turn.ts';

const story = (over: Partial<Story>): Story => ({
  ...{ id: 'US-1', title: 'Add a column', description: '', acceptanceCriteria: ['it is there'], priority: 1, dependsOn: [], notes: '' },
  ...{ passes: false, reviewStatus: null, reviewCount: 0, reviewFeedback: '' },
  ...over,
});

describe('the commit message of a turn', () => {
  it.each<[StoryMode, Partial<Story>, string]>([
    ['implement', { reviewStatus: 'needs_review' }, 'feat: [US-1] - Add a column'],
    ['review-fix', { reviewStatus: 'needs_review' }, 'fix: [US-1] - address review feedback'],
    ['review', { reviewStatus: 'approved', passes: true }, 'review: [US-1] - approved'],
    ['review', { reviewStatus: 'approved', passes: true, reviewFeedback: 'A note.' }, 'review: [US-1] - approved'],
    ['review', { reviewStatus: 'changes_requested', reviewFeedback: 'No.' }, 'review: [US-1] - changes requested'],
    ['review', { reviewStatus: 'approved', passes: true, reviewFeedback: '[AUTO-APPROVED AT CAP] No.' }, 'review: [US-1] - auto-approved at cap'],
    ['review', { reviewStatus: 'needs_review' }, 'review: [US-1] - what was left'],
  ])('in mode %s names the new state of its story: %j', (mode, over, message) => {
    expect(turnMessage(mode, story(over))).toBe(message);
  });
});
