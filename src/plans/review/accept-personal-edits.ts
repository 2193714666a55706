import type { Story, StoryPlan } from '../../journal/words/story.ts';
import { type PlanForm, readForm, refusals, withPrefix } from './read-form.ts';
import { planChanges } from './settle-stories.ts';
import { integrityProblems, readStories } from './stories-text.ts';
import { CLEAN, isJsonObject, type JsonObject, readJsonObject, STATE_FIELDS, type StateField, withMayChangeOf } from './story-fields.ts';
import { fewLines, type Rules, storyName } from './turn.ts';

export interface AcceptedStories {
  readonly plan: StoryPlan | null;
  readonly problem: string | null;
  readonly changes: readonly string[];
}

/** Accepts a person's edits of the list while no agent runs. Without a truth, a run begins and the list itself is the truth. */
export function acceptPersonalEdits(truth: StoryPlan | null, form: PlanForm, rules: Rules): AcceptedStories {
  if (form.kind !== 'text') return unusable([readForm(form).problem ?? '']);
  const older = truth === null ? withReviewFields(form.text) : null;
  const { plan, problems } = readStories(older?.text ?? form.text);
  if (plan === null) return unusable(refusals('schema', problems).map(withPrefix));
  if (plan.userStories.length === 0) return unusable(['tasks.json has no stories, and an empty list is never complete. Write at least one.']);
  const edited = truth === null ? { plan, changes: older?.changes ?? [] } : acceptEdits(truth, plan);
  const rested = rules.skipReview ? withoutPendingReviews(edited.plan) : { plan: edited.plan, changes: [] };
  const broken = integrityProblems(rested.plan, rules);
  if (broken.length > 0) return unusable(refusals('integrity', broken).map(withPrefix));
  return { plan: rested.plan, problem: null, changes: fewLines([...edited.changes, ...rested.changes]) };
}

const MOST_REPORTED = 3;

function unusable(problems: readonly string[]): AcceptedStories {
  const more = problems.length > MOST_REPORTED ? ` (and ${problems.length - MOST_REPORTED} more)` : '';
  return { plan: null, problem: problems.slice(0, MOST_REPORTED).join(' ') + more, changes: [] };
}

interface AcceptedEdits {
  readonly plan: StoryPlan;
  readonly changes: readonly string[];
}

type State = Pick<Story, StateField>;

/**
 * Accepts everything except what would make a story count, or drop out: the loop cannot tell a person's edit from that of a process that an agent left behind.
 */
function acceptEdits(truth: StoryPlan, edited: StoryPlan): AcceptedEdits {
  const known = new Map(truth.userStories.map((story) => [story.id, story]));
  const judged = edited.userStories.map((story) => judgedEdit(known.get(story.id) ?? null, story));
  const named = new Set(edited.userStories.map(({ id }) => id));
  const gone = truth.userStories.filter(({ id }) => !named.has(id));
  const refused = [...judged.flatMap((each) => each.refused), ...gone.map(({ id }) => byHand(`Story ${storyName(id)} was put back, and not taken out`))];
  const plan = refused.length === 0 ? edited : { ...edited, userStories: [...judged.map(({ story }) => story), ...gone] };
  return { plan, changes: [...planChanges(truth, plan), ...refused] };
}

interface JudgedEdit {
  readonly story: Story;
  readonly refused: readonly string[];
}

function judgedEdit(was: Story | null, edited: Story): JudgedEdit {
  const unlicensed = withMayChangeOf(was, edited);
  const { story, refused } = judgedState(was, unlicensed ?? edited);
  return { story, refused: unlicensed === null ? refused : [...refused, byHand(`What story ${storyName(edited.id)} may change was put back`)] };
}

function judgedState(was: Story | null, is: Story): JudgedEdit {
  const before: State = was ?? CLEAN;
  const fields = raisedFields(before, is);
  const lost = was?.acceptanceCriteria.filter((criterion) => !is.acceptanceCriteria.includes(criterion)) ?? [];
  if (fields.length + lost.length === 0) return { story: is, refused: [] };
  const acceptanceCriteria = [...lost, ...is.acceptanceCriteria];
  return {
    story: { ...is, acceptanceCriteria, ...Object.fromEntries(fields.map((field) => [field, before[field]])) },
    refused: [
      ...(fields.length === 0 ? [] : [notRaised(is.id, fields)]),
      ...(lost.length === 0 ? [] : [byHand(`Story ${storyName(is.id)} keeps the acceptance criteria it had`)]),
    ],
  };
}

/** A story that nears the cap nears its approval, so only the loop counts. */
function raisedFields(was: State, is: State): readonly StateField[] {
  if ((is.passes && !was.passes) || (is.reviewStatus === 'approved' && was.reviewStatus !== 'approved')) return STATE_FIELDS;
  return is.reviewCount > was.reviewCount ? ['reviewCount'] : [];
}

function notRaised(id: string, fields: readonly StateField[]): string {
  const what =
    fields.length === 1 ? `The ${fields[0]} of story ${storyName(id)} was put back` : `Story ${storyName(id)} was not approved by hand, its state was put back`;
  return byHand(what);
}

function byHand(what: string): string {
  return `${what}. To do that stop the run, edit tasks.json and resume: the loop cannot tell your hand from a process an agent left behind.`;
}

const REVIEW_FIELDS = ['reviewStatus', 'reviewCount', 'reviewFeedback'] as const;

/** A list from before there were reviews, with today's fields; null where it is not one: then nothing is guessed. */
function withReviewFields(text: string): { readonly text: string; readonly changes: readonly string[] } | null {
  const { value } = readJsonObject(text);
  const stories: unknown = value?.['userStories'];
  if (value === null || !Array.isArray(stories) || stories.length === 0 || !stories.every(isWithoutReview)) return null;
  const { passes: _, ...unreviewed } = CLEAN;
  const userStories = stories.map((story: JsonObject) => ({ ...story, ...unreviewed }));
  const filled = { ...value, description: value['description'] ?? '', verifyCommands: value['verifyCommands'] ?? [], userStories };
  return { text: JSON.stringify(filled), changes: ['tasks.json is from before there were reviews: its stories got the fields of one, all empty.'] };
}

function isWithoutReview(story: unknown): boolean {
  return isJsonObject(story) && !REVIEW_FIELDS.some((field) => Object.hasOwn(story, field));
}

/** Where there are no reviews, a story in review is implemented again; its feedback becomes a note. */
function withoutPendingReviews(plan: StoryPlan): { readonly plan: StoryPlan; readonly changes: readonly string[] } {
  const pending = plan.userStories.filter(isPending);
  if (pending.length === 0) return { plan, changes: [] };
  return {
    plan: { ...plan, userStories: plan.userStories.map((story) => (isPending(story) ? reopened(story) : story)) },
    changes: pending.map(({ id, reviewStatus }) => `Story ${storyName(id)} was ${reviewStatus}: without reviews it is implemented again.`),
  };
}

/** An approval that does not pass is ignored. */
function isPending({ passes, reviewStatus }: Story): boolean {
  return reviewStatus === 'needs_review' || reviewStatus === 'changes_requested' || (reviewStatus === 'approved' && !passes);
}

function reopened(story: Story): Story {
  const said = story.reviewFeedback.trim() === '' ? [] : [`Review feedback: ${story.reviewFeedback.trim()}`];
  const notes = [story.notes, ...said].filter((text) => text !== '').join('\n');
  return { ...story, passes: false, reviewStatus: null, reviewFeedback: '', notes };
}
