import { openQuestions } from '../../journal/state/questions.ts';
import type { RunState } from '../../journal/state/state.ts';
import type { Standing } from '../../plans/graph/standing.ts';
import { isDone, readiness } from '../../plans/review/next-turn.ts';
import type { RunHistory } from '../../report/history/run-history.ts';
import { factsOf, skipsReview } from '../../settings/schema/recipe-facts.ts';
import type { WatchView } from '../../watch/view/watched-run.ts';
import type { TaskNode } from './page.ts';

/** The stories of a run; null for a run without stories. */
function nodesOfStories(state: RunState): readonly TaskNode[] | null {
  const { plan } = state.stories;
  if (plan === null) return null;
  const open = new Set(state.open.map(({ turn }) => turn?.story));
  const isReady = readiness(plan);
  const asking = new Set(openQuestions(state).map(({ task }) => task));
  const standingOf = (story: (typeof plan.userStories)[number]): Standing => {
    if (isDone(story, skipsReview(state.run?.settings))) return 'complete';
    if (open.has(story.id)) return 'held';
    if (state.tasks.skipped?.includes(story.id)) return 'blocked';
    if (asking.has(story.id)) return 'parked';
    return isReady(story) ? 'ready' : 'waiting';
  };
  return plan.userStories.map((story) => ({ id: story.id, title: story.title, needs: story.dependsOn, standing: standingOf(story) }));
}

/** The tasks of the plan, or the stories; null: there are none. What a dead run had taken is nobody's work now. */
export function taskNodes({ state, tasks }: Pick<RunHistory, 'state' | 'tasks'>, standing: WatchView['standing']): readonly TaskNode[] | null {
  if (factsOf(state.run?.settings).hasStories) return nodesOfStories(state);
  const own = new Set(state.open.map(({ currentTask }) => currentTask?.task.id));
  const { skipped = [] } = state.tasks;
  return tasks?.map((node) => ({ ...node, standing: standingHere(node) })) ?? null;

  function standingHere({ id, standing: then }: TaskNode): Standing {
    if (then === 'held' && standing === 'dead' && own.has(id)) return 'ready';
    return skipped.includes(id) && (then === 'ready' || then === 'waiting') ? 'blocked' : then;
  }
}
