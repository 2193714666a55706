import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { deepIt, deepRows } from '../../support/deep.ts';
import type { EndedRun } from '../../support/stage.ts';
import { openStoriesStage, type StoriesStage, standings, story } from '../../support/stories-stage.ts';
import { idles, type Part, silentReview, works } from '../../support/story-part.ts';

const STORIES = [
  story('US-001', { passes: true, reviewStatus: 'approved', reviewCount: 1, notes: 'Was done before.' }),
  story('US-002', { priority: 2 }),
  story('US-003', { priority: 3, dependsOn: ['US-002'] }),
  story('US-004', { priority: 4 }),
];

type Attack = readonly [name: string, attack: Part, told: RegExp];

const ON_STATE: readonly Attack[] = [
  [
    'approves itself',
    (me) => void Object.assign(me.story, { passes: true, reviewStatus: 'approved', reviewCount: 1, notes: 'x' }),
    /Implement iterations cannot set passes=true/,
  ],
  ['only says that it passes', (me) => void Object.assign(me.story, { passes: true, notes: 'x' }), /Implement iterations cannot set passes=true/],
  ['approves a story that is not started', (me) => void Object.assign(me.of('US-004'), { passes: true, reviewStatus: 'approved', notes: 'x' }), /US-004/],
  [
    'hands in a story that is not ready',
    (me) => void Object.assign(me.of('US-003'), { reviewStatus: 'needs_review' }),
    /US-003 depends on stories that have not/,
  ],
  ['sends another story back', (me) => void Object.assign(me.of('US-004'), { reviewStatus: 'changes_requested', reviewFeedback: 'no' }), /US-004/],
  ['revokes an approval', (me) => void Object.assign(me.of('US-001'), { passes: false, reviewStatus: null }), /US-001/],
  ['counts a review', (me) => void Object.assign(me.story, { reviewCount: 4 }), /reviewCount 0 → 4/],
  ['writes its own feedback', (me) => void Object.assign(me.story, { reviewFeedback: 'It is fine.' }), /reviewFeedback/],
];

const ON_THE_LIST: readonly Attack[] = [
  ['removes all stories', (me) => void Object.assign(me.plan, { userStories: [] }), /Unfinished stories may be split, never deleted: story US-004 is gone/],
  ['removes one story', (me) => void me.plan.userStories.splice(3, 1), /story US-004 is gone/],
  ['removes its own story', (me) => void me.plan.userStories.splice(1, 1), /story US-002 is gone/],
  ['removes an approved story', (me) => void me.plan.userStories.splice(0, 1), /Finished stories may not be deleted: story US-001 is gone/],
  ['removes a criterion', (me) => void me.story.acceptanceCriteria.pop(), /story US-002 has lost "US-002 is tested"/],
  ['rewords a criterion', (me) => void Object.assign(me.story.acceptanceCriteria, ['it is easy']), /story US-002 has lost "US-002 is done"/],
  ['empties the criteria', (me) => void Object.assign(me.story, { acceptanceCriteria: [] }), /US-002 has a wrong 'acceptanceCriteria'/],
  ['rewords the criteria of another', (me) => void Object.assign(me.of('US-004'), { acceptanceCriteria: ['x'] }), /story US-004 has lost/],
  ['changes a title', (me) => void Object.assign(me.story, { title: 'Easy' }), /title of story US-002 may not be changed/],
  ['empties the verify commands', (me) => void Object.assign(me.plan, { verifyCommands: [] }), /'verifyCommands' belongs to the operator/],
  ['changes the branch', (me) => void Object.assign(me.plan, { branchName: 'main' }), /'branchName' belongs to the operator/],
  ['changes project and description', (me) => void Object.assign(me.plan, { project: 'x', description: 'y' }), /'description' belongs to the operator/],
  ['removes a dependency', (me) => void Object.assign(me.of('US-003'), { dependsOn: [] }), /US-003 no longer depends on US-002/],
  [
    'makes a circle',
    (me) => void Object.assign(me.story, { dependsOn: ['US-003'] }),
    /US-002 dependsOn 'US-003' makes stories depend on each other in a cycle/,
  ],
  ['depends on an unknown story', (me) => void Object.assign(me.story, { dependsOn: ['US-999'] }), /US-002 dependsOn 'US-999', which is not in the list/],
];

const leavesWork: Part = (me) => {
  me.write(`kept-${me.nth}.txt`, 'work\n');
  me.end();
};
const truth = STORIES.map(({ notes: _, ...fields }) => fields);

describe.each([
  ['state of the stories', deepRows('what a turn may change is a pure rule, with a test of each row', ON_STATE, 2)],
  ['list', deepRows('what a turn may change in the list is a pure rule, with a test of each row', ON_THE_LIST, 2)],
])('an implementer who attacks the %s and', (_what, attacks) => {
  let stage: StoriesStage;
  let run: EndedRun;
  /** Each is one iteration of the same run, because none of it counts. */
  beforeAll(async () => {
    stage = await openStoriesStage(
      STORIES,
      attacks.map(([, attack]) => [attack, leavesWork]),
    );
    run = await stage.work('-n', `${attacks.length + 1}`);
  });
  afterAll(() => stage[Symbol.asyncDispose]());

  it.each(attacks.map(([name, , told], index) => [name, index, told] as const))(
    '%s has it put back field by field, keeps its work, and the next agent is told',
    (_name, index, told) => {
      const plan = stage.after()[index];
      const next = stage.calls()[index + 1];
      expect(plan?.userStories.map(({ notes: _, ...fields }) => fields)).toEqual(truth);
      expect(plan).toMatchObject({ project: 'demo', branchName: 'ralph/demo', description: 'files', verifyCommands: ['test ! -e broken'] });
      expect(next).toMatchObject({ mode: 'implement', story: 'US-002', dirty: '' });
      expect(next?.prompt.slice(next.prompt.indexOf('This was not accepted'))).toMatch(told);
      expect(stage.refused()[index]).toMatch(told);
      expect(run.stderr).toMatch(told);
      expect(stage.repo.git('show', `HEAD:kept-${index + 1}.txt`)).toBe('work');
    },
  );

  it('tries all of this achieves nothing', () => {
    expect(run, run.stderr).toMatchObject({ code: 1, result: { stop_reason: 'max_iterations', done: false } });
    expect(
      stage
        .after()
        .at(-1)
        ?.userStories.map(({ passes }) => passes),
    ).toEqual([true, false, false, false]);
  });
});

describe.concurrent('an implementer', () => {
  it('who hands in two stories has handed in only its own, and the reviewer learns nothing of the other', async () => {
    await using stage = await openStoriesStage(STORIES, [
      (me) => {
        me.good();
        Object.assign(me.of('US-004'), { reviewStatus: 'needs_review', notes: 'Did that too.' });
        me.end();
      },
      ...silentReview,
    ]);
    const run = await stage.work('-n', '2');

    expect(standings(stage.plan())).toMatchObject({ 'US-002': ['needs_review', false, 0], 'US-004': [null, false, 0] });
    expect(run.stderr).toMatch(/Refused: .*US-004/);
    expect(stage.calls()[1]).toMatchObject({ mode: 'review', story: 'US-002', prompt: expect.not.stringContaining('US-004') });
  });

  deepIt('what a turn may change in the list is a pure rule, with a test of each case')('who adds approved stories has added them as not started', async () => {
    await using stage = await openStoriesStage(STORIES, [
      (me) => {
        me.plan.userStories.push({ ...me.of('US-001'), id: 'US-005', title: 'Easy', priority: 9 });
        me.plan.userStories.push({ ...me.of('US-003'), id: 'US-006', reviewStatus: 'needs_review', reviewCount: 3 });
        me.end();
      },
      idles,
    ]);
    const run = await stage.work('-n', '2');

    expect(standings(stage.plan())).toMatchObject({ 'US-005': [null, false, 0], 'US-006': [null, false, 0] });
    expect(stage.calls()[1]?.prompt).toMatch(/US-005[\s\S]*US-006/);
    expect(run).toMatchObject({ code: 1, result: { stories: { total: 6, approved: 1 } } });
  });

  deepIt('what a turn may change in the list is a pure rule, with a test of each case')(
    'who splits a story keeps its id, and the parts come first',
    async () => {
      await using stage = await openStoriesStage(
        [story('US-001')],
        [
          (me) => {
            const part = { ...me.story, notes: '' };
            me.plan.userStories.push({ ...part, id: 'US-001a', title: 'A' }, { ...part, id: 'US-001b', title: 'B', dependsOn: ['US-001a'] });
            me.story.dependsOn = ['US-001a', 'US-001b'];
            me.story.acceptanceCriteria.push('its parts are done');
            me.end();
          },
        ],
      );
      const run = await stage.work();

      expect(run, run.stderr).toMatchObject({ code: 0, result: { done: true, stories: { total: 3, approved: 3 } } });
      const each = ['US-001a', 'US-001b', 'US-001'].flatMap((id) => [`implement ${id}`, `review ${id}`]);
      expect(stage.turns()).toEqual(['implement US-001', ...each]);
      expect(stage.events('stories.settled')[0]).toMatchObject({ refused: [] });
    },
  );

  it('who leaves everything uncommitted has it committed by the loop, with the message of the seed', async () => {
    await using stage = await openStoriesStage(
      [story('US-001')],
      [
        (me) => {
          me.good();
          me.save();
          me.sh('git add work-1.txt');
          me.write('new/deep.txt', 'x');
        },
        works,
      ],
    );
    const run = await stage.work();
    expect(run, run.stderr).toMatchObject({ code: 0, result: { done: true } });
    expect(stage.subjects()).toEqual(['feat: [US-001] - Title of US-001', 'review: [US-001] - approved']);
    expect(stage.repo.git('show', 'HEAD~1:new/deep.txt')).toBe('x');
  });
});
