import type { RunState } from '../../journal/state/state.ts';
import type { TaskReceipts } from '../../journal/state/work-state.ts';
import type { Question } from '../../journal/words/claim.ts';
import type { Story, StoryMode, StoryPlan } from '../../journal/words/story.ts';
import { isDone } from '../../plans/review/next-turn.ts';
import { storiesSpecOf } from '../../settings/schema/recipe-facts.ts';

/** A run on stories in the form of run.json and `--json`. */
export interface StoriesView {
  /** Path of `tasks.json`, relative to the top of the work tree. */
  readonly plan: string;
  readonly branch: string;
  readonly project: string | null;
  /** Null before the stories were read. */
  readonly total: number | null;
  readonly approved: number | null;
  readonly passes: number | null;
  /** Stories that are not finished yet. */
  readonly open: number | null;
  /** The mode of the open iteration; null between two iterations. */
  readonly mode: StoryMode | null;
  readonly story: string | null;
  /** By the id of a story. */
  readonly review_count_by_story: Readonly<Record<string, number>>;
  /** Stories that this run approved at the cap, although their last review found something. */
  readonly approved_at_cap: readonly string[];
  /** Stories approved by a reviewer that could have run code of the tree. */
  readonly approved_weakly: readonly string[];
  /** For stories that have passed: how many receipts, in which folder, and why the last one is unsigned; null without a receipt. */
  readonly receipts: TaskReceipts | null;
  readonly questions: readonly QuestionView[];
  /** Why the list cannot be worked on right now. */
  readonly trouble: string | null;
  readonly skip_review: boolean;
  readonly review_cap: number;
}

export interface QuestionView {
  readonly story: string;
  readonly kind: Question['kind'];
  readonly text: string;
  readonly answered: boolean;
}

/** Null for every other run. */
export function storiesView({ run, stories, questions, open }: RunState): StoriesView | null {
  const spec = storiesSpecOf(run?.settings);
  if (spec === null) return null;
  const { plan, weak = [], receipts = null } = stories;
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
    approved_weakly: weak,
    receipts,
    questions: questions.map(({ task, kind, text, answer }) => ({ story: task ?? '', kind, text, answered: answer !== null })),
    trouble: stories.planProblem?.why ?? null,
    skip_review: spec.skipReview,
    review_cap: spec.reviewCap,
  };
}

/** The progress of a list of stories. */
export interface StoryCounts {
  readonly total: number;
  readonly approved: number;
  readonly passes: number;
  /** Stories that are not finished yet. */
  readonly open: number;
  readonly reviews: number;
}

export function storyCounts({ userStories }: StoryPlan, skipReview: boolean): StoryCounts {
  const count = (counts: (story: Story) => boolean) => userStories.filter(counts).length;
  return {
    total: userStories.length,
    approved: count(isApproved),
    passes: count(({ passes }) => passes),
    open: count((story) => !isDone(story, skipReview)),
    reviews: userStories.reduce((sum, { reviewCount }) => sum + reviewCount, 0),
  };
}

const isApproved = ({ passes, reviewStatus }: Story) => passes && reviewStatus === 'approved';

/** `2 of 5 stories approved`; without reviews, how many pass. The noun is left out when it was just named. */
export function storiesDoneText(plan: StoryPlan, skipReview: boolean, noun = plan.userStories.length === 1 ? ' story' : ' stories'): string {
  const { total, open } = storyCounts(plan, skipReview);
  return `${total - open} of ${total}${noun} ${skipReview ? 'pass' : 'approved'}`;
}
