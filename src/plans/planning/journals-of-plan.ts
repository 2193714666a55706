import { join } from 'node:path';
import type { JournalEvent } from '../../journal/events/journal-event.ts';
import { runsWithStatus } from '../../runs/manage/find-run.ts';
import { readJournalFile } from '../../store/journal-file.ts';
import { isElsewhere } from '../../store/run-home.ts';

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
  const sights = told.flatMap(({ sight }) => (sight.kind === 'run' && sight.recipe === 'stories' ? [sight] : [])).reverse();
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
  const stories = first?.body.type === 'run.started' ? first.body.settings.stories : null;
  return stories?.plan === path && stories.branch === branch && !isElsewhere(stories.home, top);
}
