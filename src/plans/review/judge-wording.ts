import type { Story } from '../../journal/words/story.ts';
import { isSameJson } from './json-object.ts';
import { type Refusal, refusals } from './read-form.ts';
import { notesProblem, STATE_FIELDS, type StoryReading, storyFrom, withMayChangeOf } from './story-fields.ts';
import { storyName } from './turn.ts';

export interface JudgedWording {
  /** As the form has it, with invalid values reverted. */
  readonly is: Story;
  /** The accepted story, still in its old state. */
  readonly story: Story;
  readonly refused: readonly Refusal[];
}

/** An agent may reword everything in an existing story but its title, its state, its criteria and its dependencies. */
export function judgeWording(was: Story, reading: StoryReading): JudgedWording {
  const form = storyFrom(reading, was);
  const unlicensed = withMayChangeOf(was, form);
  const is = unlicensed ?? form;
  const name = storyName(was.id);
  const refused: string[] = unlicensed === null ? [] : [`What story ${name} may change belongs to the operator. Put mayChange back as it was.`];
  const kept: Partial<Record<keyof Story, unknown>> = {};
  const putBack = (field: 'title' | 'acceptanceCriteria' | 'dependsOn', why: string) => {
    kept[field] = was[field];
    refused.push(why);
  };
  if (is.title !== was.title) putBack('title', `The title of story ${name} may not be changed. Put it back to "${storyName(was.title)}".`);
  const criteria = criteriaProblem(was, is);
  if (criteria !== null) putBack('acceptanceCriteria', criteria);
  const needs = needsProblem(was, is);
  if (needs !== null) putBack('dependsOn', needs);
  const notes = was.passes ? notesProblem({ ...is, passes: true }) : null;
  if (notes !== null) kept['notes'] = was.notes;
  const state = Object.fromEntries(STATE_FIELDS.map((field) => [field, was[field]]));
  return {
    is,
    story: { ...is, ...kept, ...state } as Story,
    refused: [...refusals('schema', [...reading.problems.values(), ...(notes === null ? [] : [notes])]), ...refusals('transition', refused)],
  };
}

function criteriaProblem(was: Story, is: Story): string | null {
  if (isSameJson(was.acceptanceCriteria, is.acceptanceCriteria)) return null;
  const name = storyName(was.id);
  if (was.passes) return `Story ${name} has passed with its acceptanceCriteria. Put them back, and write what is new into a story of its own.`;
  const lost = firstLost(was.acceptanceCriteria, is.acceptanceCriteria);
  if (lost === null) return null;
  return `Acceptance criteria may be added, never removed, reworded or put in another order: story ${name} has lost "${storyName(lost)}". Put it back.`;
}

/** The first old criterion that is missing or out of order. */
function firstLost(old: readonly string[], now: readonly string[]): string | null {
  let at = 0;
  for (const criterion of now) if (at < old.length && criterion === old[at]) at += 1;
  return old[at] ?? null;
}

function needsProblem(was: Story, is: Story): string | null {
  if (isSameJson(was.dependsOn, is.dependsOn)) return null;
  const name = storyName(was.id);
  if (was.passes) return `Story ${name} has passed: its dependsOn may not be changed any more. Put it back.`;
  const now = new Set(is.dependsOn);
  const lost = was.dependsOn.find((need) => !now.has(need));
  return lost === undefined ? null : `dependsOn may be added to, never shortened: story ${name} no longer depends on ${storyName(lost)}. Put it back.`;
}
