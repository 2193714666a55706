import type { Merge } from '../../../journal/effects/work-effect.ts';
import type { MergeJudged } from '../../../journal/events/work.ts';

type MergeFields = Partial<MergeJudged> & Pick<MergeJudged, 'result'>;

/** The result of a merge; pass only the fields that differ from the defaults. */
export function mergeJudged({ key, iteration }: Merge, came: MergeFields): MergeJudged {
  const nothing = { commit: null, results: [], missing: [], conflicts: [], kept: null, left_behind: null, unlocked: [], detail: '' };
  return { type: 'merge.judged', key, iteration, ...nothing, ...came };
}

/** The merge was cut off: that says nothing about the work. */
export function cutOff(effect: Merge): MergeJudged {
  return mergeJudged(effect, { result: 'failed', detail: 'cut off' });
}
