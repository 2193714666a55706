import type { Story, StoryPlan } from '../../src/journal/words/story.ts';
import type { SettingsWith } from '../../src/settings/schema/run-settings.ts';
import type { StoriesSpec } from '../../src/settings/schema/stories-spec.ts';
import { type SettingsChange, testSettings } from './run-settings.ts';

/** Stories with one reviewer, hooks off, and nothing that ends early; say only what differs. */
export function storiesSpec(over: Partial<StoriesSpec> = {}): StoriesSpec {
  return {
    home: '/project',
    folder: 'ralph',
    plan: 'ralph/tasks.json',
    branch: 'ralph/demo',
    skipReview: false,
    reviewCap: 5,
    reviewers: 1,
    reviewAgent: null,
    failOnCap: false,
    wait: false,
    hooks: false,
    stopBlocks: 3,
    carried: {},
    budget: { costUsd: null, timeMs: 0 },
    prices: {},
    ...over,
  };
}

export function storiesSettings(stories: Partial<StoriesSpec> = {}, over: SettingsChange = {}): SettingsWith<'stories'> {
  return testSettings({
    claims: [{ kind: 'promise', word: 'COMPLETE' }],
    maximumIterations: 15,
    ...over,
    stories: storiesSpec(stories),
  }) as SettingsWith<'stories'>;
}

/** One that nobody has begun; say only what differs. */
export function story(id: string, over: Partial<Story> = {}): Story {
  return {
    id,
    title: `Title of ${id}`,
    description: '',
    acceptanceCriteria: ['It works'],
    priority: 1,
    passes: false,
    reviewStatus: null,
    reviewCount: 0,
    reviewFeedback: '',
    notes: '',
    dependsOn: [],
    ...over,
  };
}

export const approved = (id: string, over: Partial<Story> = {}): Story =>
  story(id, { passes: true, reviewStatus: 'approved', reviewCount: 1, notes: 'done', ...over });

export function storyPlan(...userStories: readonly Story[]): StoryPlan {
  return { project: 'demo', branchName: 'ralph/demo', description: 'A demo', verifyCommands: [], userStories: [...userStories] };
}
