import type { JournalEvent } from '../../journal/events/journal-event.ts';
import type { RunState } from '../../journal/state/state.ts';
import type { MergeView } from './page.ts';

/** The queue of the results that are to be merged, and what became of the earlier ones. */
export interface MergesFold {
  add(event: JournalEvent): void;
  /** What waits or is merged now, in its order, then the newest results. */
  merges(state: RunState): readonly MergeView[];
}

const MOST_RESULTS = 60;

export function openMerges(): MergesFold {
  const tasks = new Map<number, string>();
  const begun = new Map<string, number>();
  const results: MergeView[] = [];
  return {
    add({ body, at }) {
      if (body.type === 'effect.begun' && body.effect.kind === 'merge') {
        tasks.set(body.effect.iteration, body.effect.task.id);
        begun.set(body.key, at);
      }
      if (body.type !== 'merge.judged') return;
      const since = begun.get(body.key) ?? at;
      begun.delete(body.key);
      const why = body.detail || body.proof?.reason || body.conflicts.join(', ');
      const task = tasks.get(body.iteration) ?? '';
      tasks.delete(body.iteration);
      const view = { task, iteration: body.iteration, since, commit: body.commit, unlocked: body.unlocked };
      results.push({ ...view, at, state: body.result, why: body.result === 'merged' ? '' : why });
      if (results.length > MOST_RESULTS) results.shift();
    },
    merges: (state) => [...queued(state, begun), ...results.toReversed()],
  };
}

/** One at a time is merged: the one that asked first. Whatever is judged before that comes next. */
function queued({ inFlight, open }: RunState, begun: ReadonlyMap<string, number>): readonly MergeView[] {
  const merging = inFlight.flatMap((effect) => (effect.kind === 'merge' ? [effect] : []));
  const inOrder = merging.toSorted((one, other) => (begun.get(one.key) ?? 0) - (begun.get(other.key) ?? 0));
  const nothing = { at: null, commit: null, unlocked: [], why: '' };
  const asked = inOrder.map(({ key, iteration, task }, index): MergeView => {
    return { task: task.id, iteration, since: begun.get(key) ?? 0, state: index === 0 ? 'merging' : 'queued', ...nothing };
  });
  const judged = open.flatMap(({ number, currentTask, openedAtMs }): readonly MergeView[] => {
    if (!currentTask?.isClaimed || currentTask.merge !== null || merging.some(({ iteration }) => iteration === number)) return [];
    return [{ task: currentTask.task.id, iteration: number, since: openedAtMs, state: 'judged', ...nothing }];
  });
  return [...asked, ...judged];
}
