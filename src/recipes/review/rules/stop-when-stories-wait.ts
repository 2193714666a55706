import { notDone } from '../../../journal/words/outcome.ts';
import type { StopRule } from '../../../engine/decide/recipe.ts';
import { standing, storiesSpec } from '../turning.ts';

/** Nothing can be done until a person has answered, or has changed the list. */
export const stopWhenStoriesWait: StopRule = (view) => {
  if (view.state.open.length > 0) return null;
  const next = standing(view);
  if (next?.kind === 'stuck') return { kind: 'stop', outcome: notDone('blocked', next.why, 3) };
  if (next?.kind !== 'parked' || storiesSpec(view).wait) return null;
  const newest = view.state.stories.questions.findLast(({ answer }) => answer === null);
  if (!newest) return null;
  const { kind, story, text } = newest;
  return { kind: 'stop', outcome: notDone('waiting', `${story} ${kind === 'blocked' ? 'is blocked' : 'needs a decision'}: ${text}`, 3) };
};
