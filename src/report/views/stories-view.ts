import type { StoryMode, StoryQuestion } from '../../journal/words/story.ts';
import type { RunState } from '../../journal/state/state.ts';
import { storyCounts } from './story-counts.ts';

/** A run on stories in the words of run.json and `--json`. */
export interface StoriesView {
  /** `tasks.json`, from the top of the work tree. */
  readonly plan: string;
  readonly branch: string;
  readonly project: string | null;
  /** Null before anybody has looked at them. */
  readonly total: number | null;
  readonly approved: number | null;
  readonly passes: number | null;
  /** Those that do not count yet. */
  readonly open: number | null;
  /** What the open iteration is about; null between two of them. */
  readonly mode: StoryMode | null;
  readonly story: string | null;
  /** By the id of a story. */
  readonly review_count_by_story: Readonly<Record<string, number>>;
  /** Those this run has let through although their last review found something. */
  readonly approved_at_cap: readonly string[];
  readonly questions: readonly QuestionView[];
  /** Why the list cannot be worked on right now. */
  readonly trouble: string | null;
  readonly skip_review: boolean;
  readonly review_cap: number;
}

export interface QuestionView {
  readonly story: string;
  readonly kind: StoryQuestion['kind'];
  readonly text: string;
  readonly answered: boolean;
}

/** Null for every other run. */
export function storiesView({ run, stories, open }: RunState): StoriesView | null {
  const spec = run?.settings.stories;
  if (!spec) return null;
  const { plan, questions } = stories;
  const counts = plan && storyCounts(plan, spec.skipReview);
  const turn = open.at(-1)?.turn ?? null;
  return {
    plan: spec.plan,
    branch: spec.branch,
    project: plan?.project ?? null,
    total: counts?.total ?? null,
    approved: counts?.approved ?? null,
    passes: counts?.passes ?? null,
    open: counts?.open ?? null,
    mode: turn?.mode ?? null,
    story: turn?.story ?? null,
    review_count_by_story: Object.fromEntries(plan?.userStories.map(({ id, reviewCount }) => [id, reviewCount]) ?? []),
    approved_at_cap: stories.atCap,
    questions: questions.map(({ story, kind, text, answer }) => ({ story, kind, text, answered: answer !== null })),
    trouble: stories.trouble?.why ?? null,
    skip_review: spec.skipReview,
    review_cap: spec.reviewCap,
  };
}
