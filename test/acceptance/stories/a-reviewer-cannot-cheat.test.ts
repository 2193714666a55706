import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { deepRows } from '../../support/deep.ts';
import type { EndedRun } from '../../support/stage.ts';
import { expectTidy, openStoriesStage, type StoriesStage, story } from '../../support/stories-stage.ts';
import { idles, type Part } from '../../support/story-part.ts';

const STORIES = [
  story('US-001', { reviewStatus: 'needs_review', reviewCount: 1, notes: 'Did it.' }),
  story('US-002', { priority: 2 }),
  story('US-003', { priority: 3, passes: true, reviewStatus: 'approved', reviewCount: 1, notes: 'Was done before.' }),
];
const CODE = { 'code.txt': 'as it was\n', 'gone.txt': 'still here\n' };

type Attack = readonly [name: string, attack: Part, told: RegExp];

/** None of these is a verdict, so the next iteration is a review of the same story. */
const NO_VERDICT: readonly Attack[] = [
  ['says nothing', idles, /Review iteration made no decision on story US-001/],
  [
    'only says that it passes',
    (me) => {
      Object.assign(me.story, { passes: true, reviewCount: 2 });
      me.end();
    },
    /passes=true but reviewStatus is/,
  ],
  [
    'approves what does not pass',
    (me) => {
      Object.assign(me.story, { reviewStatus: 'approved', reviewCount: 2 });
      me.end();
    },
    /passes=false/,
  ],
  [
    'rejects without a reason',
    (me) => {
      me.reject('  ');
      me.end();
    },
    /reviewFeedback/,
  ],
  [
    'takes the story back to its beginning',
    (me) => {
      Object.assign(me.story, { reviewStatus: null, reviewCount: 0 });
      me.end();
    },
    /US-001/,
  ],
  [
    'takes the story out',
    (me) => {
      me.plan.userStories.splice(0, 1);
      me.end();
    },
    /story US-001 is gone/,
  ],
  [
    'empties the list',
    (me) => {
      Object.assign(me.plan, { userStories: [] });
      me.end();
    },
    /story US-002 is gone/,
  ],
  [
    'approves another story',
    (me) => {
      Object.assign(me.of('US-002'), { passes: true, reviewStatus: 'approved', reviewCount: 1 });
      me.end();
    },
    /Only story US-001 is under review/,
  ],
  [
    'rejects another story',
    (me) => {
      Object.assign(me.of('US-003'), { passes: false, reviewStatus: 'changes_requested', reviewFeedback: 'x' });
      me.end();
    },
    /Only story US-001 is under review/,
  ],
  [
    'approves it at the cap before the cap, with no word on what is left',
    (me) => {
      Object.assign(me.story, { passes: true, reviewStatus: 'approved', reviewCount: 2, reviewFeedback: '[AUTO-APPROVED AT CAP]' });
      me.end();
    },
    /\[AUTO-APPROVED AT CAP\] before the review cap \(review 2 of 5\)/,
  ],
];

/** A verdict with hands on the code is none. */
const ON_CODE: readonly Attack[] = [
  [
    'mends code and commits it',
    (me) => {
      me.approve();
      me.write('code.txt', 'mended\n');
      me.end();
    },
    /A review changes no code/,
  ],
  [
    'mends code and leaves it there',
    (me) => {
      me.approve();
      me.end();
      me.write('code.txt', 'mended too\n');
    },
    /A review changes no code/,
  ],
  [
    'adds a file',
    (me) => {
      me.approve();
      me.write('new/test.txt', 'x\n');
      me.end();
    },
    /A review changes no code/,
  ],
  [
    'removes a file',
    (me) => {
      me.approve();
      me.sh('rm gone.txt');
      me.end();
    },
    /A review changes no code/,
  ],
  [
    'makes a file executable',
    (me) => {
      me.reject('no');
      me.sh('chmod +x code.txt');
      me.end();
    },
    /A review changes no code/,
  ],
  [
    'hides a file from git',
    (me) => {
      me.approve();
      me.write('.gitignore', '*.txt\n');
      me.write('hidden.txt', 'x');
      me.end();
    },
    /A review changes no code/,
  ],
];

describe.each([
  ['gives no verdict, since it', deepRows('what counts as a verdict is a pure rule, with a test of each row', NO_VERDICT, 2)],
  ['mends what it reviews, since it', deepRows('what a turn may leave in the files is tested where the ground is settled', ON_CODE, 3)],
])('a reviewer that %s', (_what, attacks) => {
  let stage: StoriesStage;
  let run: EndedRun;
  beforeAll(async () => {
    stage = await openStoriesStage(
      STORIES,
      attacks.map(([, attack]) => attack),
      { files: CODE },
    );
    run = await stage.work('-n', `${attacks.length + 1}`);
  });
  afterAll(() => stage[Symbol.asyncDispose]());

  it.each(attacks.map(([name, , told], index) => [name, index, told] as const))('%s, is followed by another reviewer, who is told', (_name, index, told) => {
    const next = stage.calls()[index + 1];
    expect(stage.after()[index]?.userStories).toEqual(STORIES);
    expect(next).toMatchObject({ mode: 'review', story: 'US-001', dirty: '' });
    expect(next?.prompt.slice(next.prompt.indexOf('The last turn of this story'))).toMatch(told);
    expect(stage.refused()[index]).toMatch(told);
    expect(run.stderr).toMatch(told);
  });

  it('is followed in the end by one that approves, and the code is as it was', () => {
    expect(stage.story('US-001')).toMatchObject({ passes: true, reviewStatus: 'approved', reviewCount: 2 });
    for (const [file, text] of Object.entries(CODE)) expect(stage.repo.git('show', `HEAD:${file}`)).toBe(text.trim());
    expect(stage.repo.git('ls-files', '-s', 'code.txt')).toMatch(/^100644/);
    expectTidy(stage);
  });

  it('has what it did kept under a ref', () => {
    if (attacks !== ON_CODE) return;
    const refs = stage.repo.git('for-each-ref', '--format=%(refname)', 'refs/ralph').split('\n');
    const texts = refs.map((ref) =>
      stage.repo
        .git('ls-tree', '-r', '--name-only', ref)
        .split('\n')
        .map((file) => stage.repo.git('show', `${ref}:${file}`))
        .join('\n'),
    );
    for (const text of ['mended', 'mended too']) expect(texts.some((each) => each.split('\n').includes(text))).toBe(true);
    expect(stage.repo.git('ls-files')).not.toMatch(/hidden|new\/test/);
  });
});
