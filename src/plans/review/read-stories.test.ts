import { describe, expect, it } from 'vitest';
import { approved, story, storyPlan } from '../../../test/support/stories-spec.ts';
import { StoryPlan } from '../../journal/words/story.ts';
import { readStories } from './stories-text.ts';

const problemsOf = (plan: unknown) => readStories(JSON.stringify(plan)).problems;
const plan = storyPlan(story('US-001'), story('US-002', { dependsOn: ['US-001'] }));
const { branchName: _b, ...withoutBranch } = plan;
const { description: _d, ...withoutDescription } = plan;
const { verifyCommands: _v, ...withoutCommands } = plan;
const withFirst = (fields: Record<string, unknown>) => ({ ...plan, userStories: [{ ...plan.userStories[0], ...fields }, plan.userStories[1]] });
const lacking = (field: string) => ({
  ...plan,
  userStories: plan.userStories.map((each) => Object.fromEntries(Object.entries(each).filter(([key]) => key !== field))),
});

describe('a list of stories', () => {
  it('is read with all its fields, known and unknown', () => {
    const more = { ...plan, owner: { team: ['a'] }, userStories: [story('US-001', { estimate: 3 }), story('"quoted" 🦊')] };
    expect(readStories(JSON.stringify(more))).toEqual({ plan: more, problems: [] });
  });

  it('matches the schema', () => {
    expect(StoryPlan.safeParse(readStories(JSON.stringify(plan)).plan).success).toBe(true);
  });

  it.each(['description', 'notes', 'dependsOn'])('may leave out the %s of a story', (field) => {
    expect(StoryPlan.safeParse(readStories(JSON.stringify(lacking(field))).plan).success).toBe(true);
  });

  it('may leave out the verify commands, and begin with a byte order mark', () => {
    expect(readStories(`\ufeff${JSON.stringify(withoutCommands)}`).plan?.verifyCommands).toEqual([]);
  });

  it.each<[string, unknown, string]>([
    ['no branch', withoutBranch, "Missing required top-level field: 'branchName'"],
    ['no description', withoutDescription, "Missing required top-level field: 'description'"],
    ['no stories', { ...plan, userStories: undefined }, "Missing required top-level field: 'userStories'"],
    ['stories that are no list', { ...plan, userStories: { a: 1 } }, "'userStories' must be an array"],
    ['commands that are no texts', { ...plan, verifyCommands: [1] }, "'verifyCommands' must be an array of strings"],
    ['commands that are one text', { ...plan, verifyCommands: 'npm test' }, "'verifyCommands' must be an array of strings"],
    ['a list', [], 'tasks.json is not a JSON object'],
    ['null', null, 'tasks.json is not a JSON object'],
    ['a story that is a number', { ...plan, userStories: [1] }, 'Story at position 1 must be an object'],
    ['a story that is a list', { ...plan, userStories: [[]] }, 'Story at position 1 must be an object'],
    ['an empty id', withFirst({ id: '' }), "Story at position 1 has a wrong 'id'"],
    ['an id that is a number', withFirst({ id: 7 }), "Story at position 1 has a wrong 'id'"],
    ['an id that every object has', withFirst({ id: 'constructor' }), "Story at position 1 has a wrong 'id'"],
    ['a doubled id', { ...plan, userStories: [story('US-001'), story('US-001')] }, "Duplicate story ID: 'US-001'"],
    [
      'criteria that are empty',
      withFirst({ acceptanceCriteria: [] }),
      "Story US-001 has a wrong 'acceptanceCriteria': it must be a non-empty array of strings",
    ],
    ['criteria that are no texts', withFirst({ acceptanceCriteria: [{}] }), "wrong 'acceptanceCriteria'"],
    ['a status nobody knows', withFirst({ reviewStatus: 'invalid_status' }), "wrong 'reviewStatus'"],
    ['a status that is missing', lacking('reviewStatus'), "Story US-001 is missing required field 'reviewStatus'"],
    ['a negative count', withFirst({ reviewCount: -1 }), "wrong 'reviewCount': it must be a non-negative integer"],
    ['half a review', withFirst({ reviewCount: 0.5 }), "wrong 'reviewCount'"],
    ['a count as a text', withFirst({ reviewCount: '1' }), "wrong 'reviewCount'"],
    ['passes as a text', withFirst({ passes: 'true' }), "wrong 'passes'"],
    ['priority as a text', withFirst({ priority: 'high' }), "wrong 'priority'"],
    ['feedback that is null', withFirst({ reviewFeedback: null }), "wrong 'reviewFeedback'"],
    ['notes that are null', withFirst({ notes: null }), "wrong 'notes'"],
    ['dependsOn as a text', withFirst({ dependsOn: 'US-002' }), "wrong 'dependsOn'"],
    ['what passes without notes', storyPlan(approved('US-001', { notes: ' \n' })), 'Story US-001 has passes=true but empty notes'],
    ['what waits for nobody', storyPlan(story('A', { dependsOn: ['B'] })), "Story A dependsOn 'B', which is not in the list"],
    ['what waits for itself', storyPlan(story('A', { dependsOn: ['A'] })), 'Story A dependsOn itself'],
    ['a cycle', storyPlan(story('A', { dependsOn: ['B'] }), story('B', { dependsOn: ['A'] })), 'Stories depend on each other in a cycle: A → B → A'],
  ])('is refused with %s', (_, wrong, text) => {
    expect(problemsOf(wrong).join('\n')).toContain(text);
  });

  it('is refused with a sentence for each problem', () => {
    const wrong = { ...withoutBranch, userStories: [{ id: 'A' }] };
    expect(problemsOf(wrong)).toHaveLength(1 + 7);
  });

  it.each(['', '{', '{"project": "x", "userStories": [', 'not json', '\u0000'])('is refused because it is not JSON: %j', (text) => {
    expect(readStories(text).problems).toEqual([expect.stringMatching(/^tasks\.json is not valid JSON: [^\n]+$/)]);
  });

  it('is refused with a priority that is valid JSON and not a finite number', () => {
    expect(readStories(JSON.stringify(plan).replace('"priority":1', '"priority":1e999')).problems.join()).toContain("wrong 'priority'");
  });

  it('is refused when it is nested too deep to be written again', () => {
    const deep = JSON.stringify({ ...plan, extra: 0 }).replace('"extra":0', `"extra":${'['.repeat(100_000)}${']'.repeat(100_000)}`);
    expect(readStories(deep).problems.join()).toContain('nested more than');
  });

  it('does not count brackets inside a text as depth', () => {
    expect(readStories(JSON.stringify({ ...plan, description: '[{'.repeat(500) })).problems).toEqual([]);
  });

  it('drops a key that would set a prototype', () => {
    const text = JSON.stringify(plan).replace('{', '{"__proto__":{"passes":true},').replace('{"id"', '{"__proto__":{"passes":true},"id"');
    const { plan: read } = readStories(text);
    expect(read).toEqual(plan);
    expect([read, read?.userStories[0]].some((each) => Object.hasOwn(each ?? {}, '__proto__'))).toBe(false);
  });
});
