import type { Merge } from '../../../journal/effects/work-effect.ts';
import type { MergeJudged } from '../../../journal/events/work.ts';

type Came = Partial<MergeJudged> & Pick<MergeJudged, 'result'>;

/** What came of a merge; say only what there is to say. */
export function mergeJudged({ key, iteration }: Merge, came: Came): MergeJudged {
  const nothing = { commit: null, results: [], missing: [], conflicts: [], kept: null, left_behind: null, unlocked: [], detail: '' };
  return { type: 'merge.judged', key, iteration, ...nothing, ...came };
}

/** Somebody had no time left for it: that says nothing about the work. */
export function cutOff(effect: Merge): MergeJudged {
  return mergeJudged(effect, { result: 'failed', detail: 'cut off' });
}
