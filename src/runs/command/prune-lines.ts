import { printable } from '../../kit/pure/printable.ts';
import type { PrunedRuns } from '../manage/prune-runs.ts';

export function pruneLines({ removed, kept }: PrunedRuns, dryRun: boolean): readonly string[] {
  if (removed.length === 0 && kept.length === 0) return ['There is no run here.'];
  return [
    ...removed.map(({ sight }) => `${dryRun ? 'Would remove' : 'Removed'} ${printable(sight.run)}`),
    ...kept.map(({ told, why }) => `Kept ${printable(told.sight.run)}: ${printable(why)}`),
  ];
}
