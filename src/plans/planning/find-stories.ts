import { dirname, join, resolve } from 'node:path';
import type { Story, StoryPlan } from '../../journal/words/story.ts';
import { pathExists } from '../../kit/files/read.ts';
import { OperatorError } from '../../kit/pure/operator-error.ts';
import { readPlanFile } from '../../workspace/stories/git-story-plan-file.ts';
import { findPlan } from '../find/find-plan.ts';
import { formOf } from '../forms.ts';
import { readStories } from '../review/stories-text.ts';
import { saysAtCap } from '../review/turn.ts';
import { type CallerPlace, workTreeAt } from '../tasks/work-tree.ts';
import { FOLDER } from './plan-folder.ts';

/** A list of stories, seen from the top of its work tree. */
export interface FoundStories {
  readonly top: string;
  readonly path: string;
  readonly folder: string;
  /** Null: it is not valid, and `problems` says why. */
  readonly plan: StoryPlan | null;
  readonly problems: readonly string[];
}

const USUAL = `${FOLDER}/tasks.json`;

/** The named stories; else those in `ralph/`, here or at the top of the work tree, whatever else there is; else the only ones there are. */
export async function findStories(wanted: string | null, standpoint: CallerPlace): Promise<FoundStories> {
  const { top } = await workTreeAt(standpoint);
  const { kind, path } = await findPlan(top, wanted === null ? await usualPlace(top, standpoint.cwd) : resolve(standpoint.cwd, wanted), standpoint.cwd);
  if (!formOf(kind).isReviewed)
    throw noStories(`${path} is a plan of another kind`, 'ralph plan is about a tasks.json with user stories; ralph task is about all others.');
  return { top, path, folder: dirname(path), ...(await readingOf(top, path)) };
}

/** As `findStories`, but throws when the list is not valid. */
export async function validStories(wanted: string | null, standpoint: CallerPlace): Promise<FoundStories & { readonly plan: StoryPlan }> {
  const found = await findStories(wanted, standpoint);
  if (found.plan !== null) return { ...found, plan: found.plan };
  throw new OperatorError('plan-broken', `${found.path}: ${found.problems[0] ?? 'it cannot be read'}`, {
    hint: 'ralph plan check shows all problems.',
    exitCode: 2,
  });
}

async function usualPlace(top: string, cwd: string): Promise<string | null> {
  for (const folder of [cwd, top]) {
    const path = join(folder, USUAL);
    if (await pathExists(path)) return path;
  }
  if (await pathExists(join(top, 'tasks.json'))) return null;
  throw noStories(`there is no ${USUAL} in ${cwd}`, 'Make one with: ralph plan init');
}

/** Reads it as the loop does: a file that the loop would not read is not a plan here either. */
async function readingOf(top: string, path: string): Promise<Pick<FoundStories, 'plan' | 'problems'>> {
  const form = await readPlanFile({ topLevel: top, plan: path, planPath: join(top, path) });
  if (form.kind === 'text') return readStories(form.text);
  return { plan: null, problems: [form.kind === 'missing' ? 'it is missing' : `it ${form.why}`] };
}

function noStories(message: string, hint: string): OperatorError {
  return new OperatorError('no-stories', message, { hint, exitCode: 2 });
}

export type StoryStatus = 'open' | 'waits' | 'needs_review' | 'changes_requested' | 'approved' | 'approved_at_cap' | 'passes';

/** A story as a row of a table. */
export interface StoryRow {
  readonly id: string;
  readonly title: string;
  readonly status: StoryStatus;
  readonly reviews: number;
  readonly depends_on: readonly string[];
}

export function storyRows({ userStories }: StoryPlan): readonly StoryRow[] {
  const passing = new Set(userStories.filter(({ passes }) => passes).map(({ id }) => id));
  return userStories.map((story) => ({
    id: story.id,
    title: story.title,
    status: statusOf(story, passing),
    reviews: story.reviewCount,
    depends_on: story.dependsOn,
  }));
}

/** Finished stories: approved, or passing where there are no reviews. */
export function isDone({ status }: Pick<StoryRow, 'status'>): boolean {
  return status === 'approved' || status === 'approved_at_cap' || status === 'passes';
}

function statusOf(story: Story, passing: ReadonlySet<string>): StoryStatus {
  if (story.reviewStatus === 'approved') return saysAtCap(story.reviewFeedback) ? 'approved_at_cap' : 'approved';
  if (story.reviewStatus !== null) return story.reviewStatus;
  if (story.passes) return 'passes';
  return story.dependsOn.every((id) => passing.has(id)) ? 'open' : 'waits';
}
