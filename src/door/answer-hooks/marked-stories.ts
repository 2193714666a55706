import { join } from 'node:path';
import type { ActiveMarker } from '../hooks/active-marker-text.ts';
import { integrityProblems } from '../../plans/review/integrity.ts';
import type { PlanForm } from '../../plans/review/plan-form.ts';
import { readForm } from '../../plans/review/read-form.ts';
import { readStories } from '../../plans/review/read-stories.ts';
import { transitionProblems } from '../../plans/review/transitions.ts';
import { dirtyPathsUnguarded } from '../../workspace/dirty-paths.ts';
import type { FoundMarker } from './find-marker.ts';
import { readFormFile } from './form-file.ts';
import type { StoriesAtWork } from './hook-world.ts';
import { realOf } from './spellings.ts';

/** Few enough for claude, which gives up after eight. */
const STOP_BLOCKS = 3;

interface Around {
  readonly env: Readonly<Record<string, string>>;
  /** Folders of our own that nobody may write to. */
  readonly ours: readonly string[];
}

/** The stories a marker speaks of, where there is no loop to ask: judged by its snapshot, and by what holds for every list of stories. */
export function markedStories({ root, marker }: FoundMarker, { env, ours }: Around): StoriesAtWork {
  const plan = join(root, marker.ralphDir, 'tasks.json');
  return {
    place: { root: realOf(root), folder: marker.ralphDir, mode: marker.iterationMode, ours: ours.map(realOf) },
    stopBlocks: STOP_BLOCKS,
    problems: async () => formProblems(readFormFile(plan), marker),
    dirtyPaths: () => dirtyPathsUnguarded(root, env),
    refused: async () => undefined,
  };
}

/** Checks 1, 2 and 2.5 of seed 003. */
function formProblems(form: PlanForm, { skipReview, reviewCap: cap, iterationMode: mode, preIterationSnapshot: before }: ActiveMarker): readonly string[] {
  const { plan, problems } = form.kind === 'text' ? readStories(form.text) : { plan: null, problems: [readForm(form).problem ?? ''] };
  if (plan === null) return prefixed('Task list validation failed: ', problems);
  const wrong = integrityProblems(plan, { skipReview, cap });
  const moved = before === null || mode === null ? [] : transitionProblems(before, plan, { mode, skipReview, cap });
  const others = moved.filter((problem) => !wrong.includes(problem));
  return [...prefixed('Review integrity check failed: ', wrong), ...prefixed('Transition validation failed: ', others)];
}

const prefixed = (prefix: string, problems: readonly string[]) => problems.map((problem) => `${prefix}${problem}`);
