import { notDone, type Outcome } from '../../../journal/words/outcome.ts';
import type { StopRule, View } from '../../../engine/decide/recipe.ts';
import { standing, storiesSpec } from '../turning.ts';

/** As long as somebody may need to finish an edit. */
const PATIENCE_MS = 30_000;

/** The list stays unreadable, has nothing in it, or the branch is another one: only a person can mend that. */
export const stopWhenStoriesCannotBeRead: StopRule = (view) => {
  if (view.state.open.length > 0) return null;
  const why = troubleOf(view);
  return why === null ? null : { kind: 'stop', outcome: why };
};

function troubleOf(view: View): Outcome | null {
  const { trouble, look } = view.state.stories;
  const { plan, branch } = storiesSpec(view);
  if (trouble !== null && trouble.atMs - trouble.sinceMs >= PATIENCE_MS) return notDone('fatal', `${plan} ${trouble.why}`, 2);
  if (look !== null && look.branch !== branch)
    return notDone('fatal', `${look.branch ?? 'no branch'} is checked out, and the stories are worked on in ${branch}`, 2);
  return standing(view)?.kind === 'empty' ? notDone('fatal', `${plan} has no stories, and an empty list is never complete`, 2) : null;
}
