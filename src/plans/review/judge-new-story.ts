import type { Story } from '../../journal/words/story.ts';
import { stateChanges, uncleanStory } from './illegal-transition.ts';
import { type Refusal, refusals } from './refusal.ts';
import { CLEAN, STATE_FIELDS, type StoryField, type StoryReading, storyFrom } from './story-fields.ts';

const STATE: ReadonlySet<StoryField | 'all'> = new Set(STATE_FIELDS);

/** A story nobody knew. Whatever it says of itself, it starts clean; what cannot be read is left out. */
export function judgeNewStory(reading: StoryReading): { readonly story: Story | null; readonly refused: readonly Refusal[] } {
  const problems = [...reading.problems].filter(([field]) => !STATE.has(field)).map(([, text]) => text);
  if (problems.length > 0)
    return {
      story: null,
      refused: refusals(
        'schema',
        problems.map((text) => `${text} Without that the new story is left out.`),
      ),
    };
  const story = storyFrom(reading, CLEAN);
  const isUnclean = stateChanges(CLEAN, story, STATE_FIELDS).length > 0;
  return {
    story: { ...story, ...CLEAN },
    refused: [...refusals('schema', [...reading.problems.values()]), ...refusals('transition', isUnclean ? [uncleanStory(story.id)] : [])],
  };
}
