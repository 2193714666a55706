import { dirname, join, resolve } from 'node:path';
import type { StoryPlan } from '../../journal/words/story.ts';
import { pathExists } from '../../kit/files/read.ts';
import { OperatorError } from '../../kit/pure/operator-error.ts';
import { readPlanFile } from '../../workspace/stories/git-story-plan-file.ts';
import { findPlan } from '../find/find-plan.ts';
import { readStories } from '../review/stories-text.ts';
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
  const { kind, path } = await findPlan(top, wanted === null ? await usualPlace(top, standpoint.cwd) : resolve(standpoint.cwd, wanted));
  if (kind !== 'stories')
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
