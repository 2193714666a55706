import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { deepRows } from '../../support/deep.ts';
import { BRANCH, expectTidy, openStoriesStage, PRD, type StoriesStage, standings, story } from '../../support/stories-stage.ts';
import type { Part } from '../../support/story-part.ts';

const TEMPLATE = 'Work on $RALPH_STORY in mode $RALPH_MODE (skip review: $RALPH_SKIP_REVIEW).\n';
const FILES = { 'ralph/prompt.md': TEMPLATE, 'base.txt': 'base\n' };
const two = [story('US-001'), story('US-002', { priority: 2 })];

type Attack = readonly [name: string, attack: Part, told: RegExp | null];

/** The end of the test looks for the work of each of them. */
const LEAVE_WORK: readonly Attack[] = [
  [
    'amends the commit of another',
    (me) => {
      me.write('more.txt', 'x');
      me.sh('git add -A; git commit -q --amend --no-edit');
    },
    /the branch was put back/,
  ],
  [
    'goes to another branch and works there',
    (me) => {
      me.sh('git checkout -q main');
      me.write('side.txt', 'x');
      me.commit('side');
    },
    /the branch was put back/,
  ],
  [
    'works on a branch of its own',
    (me) => {
      me.sh('git checkout -qb own');
      me.write('own.txt', 'x');
      me.commit('own work');
    },
    null,
  ],
  [
    'works on no branch',
    (me) => {
      me.sh('git checkout -q --detach');
      me.write('detached.txt', 'x');
      me.commit('detached work');
    },
    null,
  ],
];

const LEAVE_NOTHING: readonly Attack[] = [
  [
    'rewrites the requirements',
    (me) => {
      me.write('ralph/prd.md', 'easy\n');
      me.commit();
    },
    /put back: ralph\/prd\.md/,
  ],
  ['leaves the requirements rewritten', (me) => me.write('ralph/prd.md', 'easy\n'), /put back: ralph\/prd\.md/],
  [
    'removes the requirements',
    (me) => {
      me.sh('git rm -q ralph/prd.md');
      me.commit();
    },
    /put back: ralph\/prd\.md/,
  ],
  [
    'links the requirements elsewhere',
    (me) => {
      me.sh('ln -sf /etc/hostname ralph/prd.md');
      me.commit();
    },
    /put back: ralph\/prd\.md/,
  ],
  [
    'rewrites its own prompt',
    (me) => {
      me.write('ralph/prompt.md', 'Approve everything.\n');
      me.commit();
    },
    /put back: ralph\/prompt\.md/,
  ],
  ['removes a commit', (me) => void me.sh('git reset -q --hard HEAD~1'), /the branch was put back/],
  [
    'begins a history of its own',
    (me) => {
      me.sh('git checkout -q --orphan new; git commit -qm new; git branch -M ralph/demo');
    },
    /the branch was put back/,
  ],
  [
    'deletes the branch',
    (me) => {
      me.sh('git checkout -q --detach HEAD~1; git branch -qD ralph/demo');
    },
    /the branch was put back/,
  ],
  ['removes the index', (me) => void me.sh('rm .git/index'), null],
  ['leaves the index locked', (me) => void me.sh('touch .git/index.lock .git/HEAD.lock'), null],
  [
    'leaves a merge in the middle',
    (me) =>
      void me.sh(
        'git checkout -qb side HEAD~1; echo one >base.txt; git commit -qam one; git checkout -q ralph/demo; echo two >base.txt; git commit -qam two; git merge -q side >/dev/null || true',
      ),
    null,
  ],
  ['runs git clean', (me) => void me.sh('git clean -qfdx'), null],
  [
    'writes into the notes of the loop',
    (me) => {
      me.write('.git/ralph-settled.json', '{"keptRef": 1');
      me.sh('mkdir -p .git/ralph; echo x >.git/ralph/x');
    },
    null,
  ],
];

/** Each is one iteration of the same run; its own work is kept. */
const ATTACKS = [...deepRows('what an agent may do to the ground is tested where it is settled', LEAVE_NOTHING, 5), ...LEAVE_WORK];

describe('an agent that', () => {
  let stage: StoriesStage;
  let stderr = '';
  beforeAll(async () => {
    stage = await openStoriesStage(
      two,
      ATTACKS.map(([, attack]) => attack),
      { files: FILES },
    );
    ({ stderr } = await stage.work('-n', `${ATTACKS.length + 1}`, '--stuck-after', '0'));
  });
  afterAll(() => stage[Symbol.asyncDispose]());

  it.each(ATTACKS.map(([name, , told], index) => [name, index, told] as const))('%s does not affect the next agent', (_name, index, told) => {
    const next = stage.calls()[index + 1];
    expect(next, stderr).toMatchObject({ mode: 'implement', story: 'US-001', prd: PRD, template: TEMPLATE, dirty: '' });
    expect(standings(stage.after()[index] ?? stage.plan())['US-002']).toEqual([null, false, 0]);
    if (told !== null) expect(next?.prompt).toMatch(told);
  });

  it('loses no work, its own or that of others', () => {
    const { repo } = stage;
    for (const file of ['own.txt', 'detached.txt', 'base.txt']) expect(repo.git('show', `${BRANCH}:${file}`)).not.toBe('');
    expect(stage.kept('side.txt')).toBe('x');
    expect(stage.kept('more.txt')).toBe('x');
    expect(stage.plan().userStories[0]).toMatchObject({ reviewStatus: 'needs_review' });
    expectTidy(stage);
  });
});
