import type { Story, StoryPlan } from '../../journal/words/story.ts';
import { findCycles } from '../../kit/pure/find-cycles.ts';
import { duplicateEntries, readForm } from './read-form.ts';
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

type Needs = ReadonlyMap<string, readonly string[]>;

/** Why a story of this list could never begin: it waits for a missing story, or for itself. */
function dependencyProblems(stories: readonly Story[]): readonly string[] {
  const needs: Needs = new Map(stories.map(({ id, dependsOn }) => [id, dependsOn]));
  const dangling = stories.flatMap(({ id, dependsOn }) =>
    dependsOn
      .filter((need) => !needs.has(need))
      .map((need) => `Story ${storyName(id)} dependsOn '${storyName(need)}', which is not in the list. Name a story that is, or remove it.`),
  );
  const own = stories
    .filter(({ id, dependsOn }) => dependsOn.includes(id))
    .map(({ id }) => `Story ${storyName(id)} dependsOn itself. Remove that from its dependsOn.`);
  const cycles = findCycles(needs.keys(), (id) => (needs.get(id) ?? []).filter((need) => needs.has(need))).map(
    (cycle) => `Stories depend on each other in a cycle: ${shortCycle(cycle)}. Remove one dependsOn from it.`,
  );
  return [...dangling, ...own, ...cycles];
}

const MOST_IN_A_CYCLE = 10;

function shortCycle(cycle: readonly string[]): string {
  const names = cycle.map(storyName);
  return (names.length > MOST_IN_A_CYCLE ? [...names.slice(0, MOST_IN_A_CYCLE), '…', names[0]] : names).join(' → ');
}

/**
 * Stories in a cycle, or between two cycles. If every cycle has a new arrow, removing the new arrows between these stories leaves no cycle. Linear: stories
 * that nobody waits for, and stories that wait for nobody, are removed until none is left.
 */
export function storiesInCycles(needs: Needs): ReadonlySet<string> {
  const left = peel(new Set(needs.keys()), needs);
  return peel(left, reversed(left, needs));
}

/** Without those that lead nowhere. */
function peel(ids: ReadonlySet<string>, arrows: Needs): ReadonlySet<string> {
  const from = reversed(ids, arrows);
  const open = new Map([...ids].map((id) => [id, (arrows.get(id) ?? []).filter((to) => ids.has(to)).length]));
  const left = new Set(ids);
  const free = [...ids].filter((id) => open.get(id) === 0);
  for (let id = free.pop(); id !== undefined; id = free.pop()) {
    left.delete(id);
    for (const before of from.get(id) ?? []) {
      const rest = (open.get(before) ?? 0) - 1;
      open.set(before, rest);
      if (rest === 0) free.push(before);
    }
  }
  return left;
}

function reversed(ids: ReadonlySet<string>, arrows: Needs): Needs {
  const back = new Map<string, string[]>([...ids].map((id) => [id, []]));
  for (const id of ids) for (const to of arrows.get(id) ?? []) back.get(to)?.push(id);
  return back;
}
