import { join } from 'node:path';
import type { JournalEvent } from '../../journal/events/journal-event.ts';
import type { StoryPlan } from '../../journal/words/story.ts';
import { type StoriesStats, storiesStats } from '../../report/views/stories-stats.ts';
import { runsWithStatus } from '../../runs/manage/find-run.ts';
import { factsOf, storiesSpecOf } from '../../settings/schema/recipe-facts.ts';
import { readJournalFile } from '../../store/journal-file.ts';
import { isElsewhere } from '../../store/run-home.ts';
import { integrityProblems } from '../review/stories-text.ts';
import type { Rules } from '../review/turn.ts';
import type { CallerPlace } from '../tasks/work-tree.ts';
import { findStories, isDone, type StoryRow, storyRows, validStories } from './find-stories.ts';

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

export interface CheckedPlan {
  readonly path: string;
  readonly stories: number;
  readonly problems: readonly string[];
  readonly warnings: readonly string[];
}

/** Reports all problems of a list of stories, by the same rules as the loop. Changes nothing. */
export async function checkPlan(wanted: string | null, rules: Rules, standpoint: CallerPlace): Promise<CheckedPlan> {
  const { path, plan, problems } = await findStories(wanted, standpoint);
  if (plan === null) return { path, stories: 0, problems, warnings: [] };
  return { path, stories: plan.userStories.length, problems: integrityProblems(plan, rules), warnings: planWarnings(plan) };
}

/** Problems that do not prevent a start. */
function planWarnings({ verifyCommands, userStories }: StoryPlan): readonly string[] {
  const first = new Map<number, string>();
  const equal = userStories.flatMap(({ id, priority }) => {
    const other = first.get(priority);
    if (other === undefined) first.set(priority, id);
    return other === undefined ? [] : [`Story ${id} has the same priority as ${other} (${priority}): their order in the list decides which goes first`];
  });
  return [
    ...(verifyCommands.length === 0 ? ['There are no verifyCommands: nothing but the review proves that a story is done'] : []),
    ...(userStories.length === 0 ? ['There are no stories'] : []),
    ...equal,
    ...userStories.filter(({ description }) => description.trim() === '').map(({ id }) => `Story ${id} has no description`),
  ];
}

/** Identifies a plan: its file, and its branch, because plans follow each other at the same path. */
export interface PlanOfRuns {
  readonly top: string;
  readonly path: string;
  readonly branch: string;
}

export interface RunOfPlan {
  readonly run: string;
  readonly folder: string;
  readonly events: readonly JournalEvent[];
}

export interface RunsOfPlan {
  /** The oldest first. */
  readonly runs: readonly RunOfPlan[];
  /** Runs whose journal cannot be read. */
  readonly unreadable: readonly string[];
}

/** Every run that worked on this plan. Changes nothing. */
export async function runsOfPlan(cwd: string, plan: PlanOfRuns): Promise<RunsOfPlan> {
  const told = await runsWithStatus(cwd, { root: null, project: null, task: null });
  const sights = told.flatMap(({ sight }) => (sight.kind === 'run' && factsOf(sight).hasStories ? [sight] : [])).reverse();
  const runs: RunOfPlan[] = [];
  const unreadable: string[] = [];
  for (const { run, folder } of sights) {
    const events = await readJournalFile(join(folder, 'journal.jsonl')).catch(() => null);
    if (events === null) unreadable.push(run);
    else if (isOnPlan(events, plan)) runs.push({ run, folder, events });
  }
  return { runs, unreadable };
}

function isOnPlan([first]: readonly JournalEvent[], { top, path, branch }: PlanOfRuns): boolean {
  const stories = first?.body.type === 'run.started' ? storiesSpecOf(first.body.settings) : null;
  return stories?.plan === path && stories.branch === branch && !isElsewhere(stories.home, top);
}
