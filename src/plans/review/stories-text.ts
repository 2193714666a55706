import type { Story, StoryPlan } from '../../journal/words/story.ts';
import { duplicateEntries, readForm } from './read-form.ts';
import { dependencyProblems } from './story-dependencies.ts';
import { notesProblem, storyFrom } from './story-fields.ts';
import { type Rules, storyName } from './turn.ts';

/** The text of the list, in the layout of the file that it replaces. */
export function storiesText(plan: StoryPlan, like: string | null): string {
  const layout = layoutOf(like);
  const text = `${JSON.stringify(plan, null, layout.indent)}\n`;
  return layout.lineBreak === '\n' ? text : text.replaceAll('\n', layout.lineBreak);
}

const USUAL = { indent: '  ', lineBreak: '\n' };
/** JSON.stringify indents no deeper. */
const WIDEST_INDENT = 10;

/** Taken from the first indented line; a list on a single line stays on one. */
function layoutOf(like: string | null): { readonly indent: string; readonly lineBreak: string } {
  const first = like?.trimStart() ?? '';
  const end = first.indexOf('\n');
  if (!first.startsWith('{')) return USUAL;
  if (end < 0 || first.slice(end).trim() === '') return { ...USUAL, indent: '' };
  const indent = /^[ \t]*/.exec(first.slice(end + 1, end + 1 + WIDEST_INDENT))?.[0] ?? '';
  return { indent: indent === '' ? USUAL.indent : indent, lineBreak: first[end - 1] === '\r' ? '\r\n' : '\n' };
}

export type ReadStories = { readonly plan: StoryPlan; readonly problems: readonly [] } | { readonly plan: null; readonly problems: readonly string[] };

/** The stories in a text, or all its problems (check 1). */
export function readStories(text: string): ReadStories {
  const { reading, problem } = readForm({ kind: 'text', text });
  if (reading === null) return { plan: null, problems: [problem] };
  const wrong = [
    ...reading.topProblems.values(),
    ...reading.stories.flatMap(({ problems }) => [...problems.values()]),
    ...duplicateEntries(reading.stories).map(duplicateText),
  ];
  if (wrong.length > 0) return { plan: null, problems: wrong };
  const userStories = reading.stories.map((story) => storyFrom(story));
  const problems = [...userStories.flatMap((story) => notesProblem(story) ?? []), ...dependencyProblems(userStories)];
  if (problems.length > 0) return { plan: null, problems };
  return { plan: { ...reading.top, userStories } as unknown as StoryPlan, problems: [] };
}

export function duplicateText({ id }: { readonly id: string | null }): string {
  return `Duplicate story ID: '${storyName(id ?? '')}'. Give the second one an id of its own.`;
}

/** What is never true of a story while no agent runs, whoever wrote it (check 2). */
export function integrityProblems(plan: StoryPlan, { cap, skipReview }: Rules): readonly string[] {
  if (skipReview) return [];
  return plan.userStories.flatMap((story) => [...outOfSync(story), ...noFeedback(story), ...beyondCap(story, cap)]);
}

function outOfSync({ id, passes, reviewStatus }: Story): readonly string[] {
  const name = storyName(id);
  if (passes && reviewStatus !== 'approved') {
    return [
      `Story ${name} has passes=true but reviewStatus is '${reviewStatus}', not 'approved'. Only review iterations may approve stories. Set passes back to false or complete the review cycle.`,
    ];
  }
  if (!passes && reviewStatus === 'approved') {
    return [`Story ${name} has reviewStatus 'approved' but passes=false: they are out of sync. Set passes=true with the approval, or take the approval back.`];
  }
  return [];
}

function noFeedback({ id, reviewStatus, reviewFeedback }: Story): readonly string[] {
  if (reviewStatus !== 'changes_requested' || reviewFeedback.trim() !== '') return [];
  return [
    `Story ${storyName(id)} has reviewStatus 'changes_requested' but empty reviewFeedback: feedback required. Write into reviewFeedback what must be fixed, and where.`,
  ];
}

function beyondCap({ id, reviewCount }: Story, cap: number): readonly string[] {
  if (reviewCount <= cap + 1) return [];
  return [`Story ${storyName(id)} has reviewCount ${reviewCount}, more than the review cap of ${cap} allows. Put it back to the number of its reviews.`];
}
