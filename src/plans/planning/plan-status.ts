import type { StoryPlan } from '../../journal/words/story.ts';
import { type StoriesStats, storiesStats } from '../../report/views/stories-stats.ts';
import type { CallerPlace } from '../tasks/work-tree.ts';
import { validStories } from './find-stories.ts';
import { runsOfPlan } from './journals-of-plan.ts';
import { isDone, type StoryRow, storyRows } from './story-rows.ts';

export interface PlanStatus {
  readonly path: string;
  readonly plan: StoryPlan;
  readonly rows: readonly StoryRow[];
  readonly done: number;
  /** Null: they were not asked for. */
  readonly stats: PlanStats | null;
}

export interface PlanStats extends StoriesStats {
  readonly runs: number;
  /** Runs that could not be counted, because their journals cannot be read. */
  readonly unreadable: readonly string[];
}

/** The state of a list of stories by its file, and its statistics by the journals of all runs on it. */
export async function planStatus(wanted: string | null, withStats: boolean, standpoint: CallerPlace): Promise<PlanStatus> {
  const { top, path, plan } = await validStories(wanted, standpoint);
  const rows = storyRows(plan);
  return { path, plan, rows, done: rows.filter(isDone).length, stats: withStats ? await statsOf({ top, path, branch: plan.branchName }, standpoint) : null };
}

async function statsOf(plan: { readonly top: string; readonly path: string; readonly branch: string }, { cwd }: CallerPlace): Promise<PlanStats> {
  const { runs, unreadable } = await runsOfPlan(cwd, plan);
  return { runs: runs.length, unreadable, ...storiesStats(runs.map(({ events }) => events)) };
}
