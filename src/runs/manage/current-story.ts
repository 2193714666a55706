import { lstatSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Question } from '../../journal/words/claim.ts';
import { StoryMode } from '../../journal/words/story.ts';
import * as z from '../../kit/pure/shape.ts';
import { factsOf } from '../../settings/schema/recipe-facts.ts';
import type { RunWithStatus } from './find-run.ts';

/** The current story or open question of a run, for a list of many runs. */
export interface CurrentStory {
  readonly mode: StoryMode | null;
  readonly story: string | null;
  /** The newest unanswered question. */
  readonly question: { readonly story: string; readonly kind: Question['kind']; readonly text: string } | null;
}

const MOST_BYTES = 4 * 1024 * 1024;

/** Loose on purpose: run.json is a view, and one of another version still has a place in a list. */
const RunJson = z.object({
  stories: z.object({
    mode: StoryMode.nullable().catch(null),
    story: z.string().nullable().catch(null),
    questions: z.array(z.object({ story: z.string(), kind: Question.shape.kind, text: z.string(), answered: z.boolean() })).catch([]),
  }),
});

/** Null for every other run, and when run.json cannot be read: reading the journal of each run would be too slow for a list. */
export function currentStory({ sight, state }: RunWithStatus): CurrentStory | null {
  if (sight.kind !== 'run' || !factsOf(sight).hasStories) return null;
  const view = RunJson.safeParse(jsonIn(join(sight.folder, 'run.json')));
  if (!view.success) return null;
  const { mode, story, questions } = view.data.stories;
  const asked = state === 'done' ? undefined : questions.findLast(({ answered }) => !answered);
  const isAtWork = state === 'running' || state === 'unknown';
  return {
    mode: isAtWork ? mode : null,
    story: isAtWork ? story : null,
    question: asked === undefined ? null : { story: asked.story, kind: asked.kind, text: asked.text },
  };
}

function jsonIn(path: string): unknown {
  try {
    const found = lstatSync(path);
    return found.isFile() && found.size <= MOST_BYTES ? JSON.parse(readFileSync(path, 'utf8')) : null;
  } catch {
    return null;
  }
}
