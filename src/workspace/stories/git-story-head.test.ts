import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { expectSound, KEPT, lostCommits, openStoryStage, REVIEW, type StoryStage } from '../../../test/support/story-ground-stage.ts';

describe('commits on top of where the turn began', () => {
  it('are taken over from another branch, with uncommitted changes', async () => {
    await using stage = await openStoryStage();
    stage.repo.git('checkout', '-q', '-b', 'feature');
    const head = await stage.commits('work');
    await stage.repo.write('left.txt', 'left\n');
    const done = await stage.settle();
    expect(done).toMatchObject({ rewound: null, kept: null, leftovers: true });
    expect(stage.repo.git('rev-parse', 'HEAD~1')).toBe(head);
    expect(stage.repo.git('rev-parse', 'feature')).toBe(head);
    await expectSound(stage, done);
  });

  it('are removed from the branch and kept if later turns must not see them', async () => {
    await using stage = await openStoryStage();
    const { head: begun } = stage.wish;
    const head = await stage.commits('verdict');
    await stage.repo.write('left.txt', 'left\n');
    const done = await stage.settle({ revert: { kind: 'all-but', paths: [] }, forget: true });
    expect(done).toMatchObject({ head: begun, commit: null, rewound: null, kept: KEPT, reverted: ['left.txt', 'verdict.txt'] });
    expect(stage.repo.git('log', '--format=%H', KEPT)).toContain(head);
    expect(await stage.settle({ revert: { kind: 'all-but', paths: [] }, forget: true })).toEqual(done);
    await expectSound(stage, done);
  });

  it('are taken over from a detached HEAD', async () => {
    await using stage = await openStoryStage();
    await stage.commits('first');
    stage.repo.git('checkout', '-q', '--detach');
    const head = await stage.commits('second');
    const done = await stage.settle();
    expect(done).toMatchObject({ head, rewound: null, kept: null, leftovers: false });
    await expectSound(stage, done);
  });

  it('are taken over if the branch was renamed', async () => {
    await using stage = await openStoryStage();
    stage.repo.git('branch', '-m', 'main', 'other');
    const head = await stage.commits('work');
    const done = await stage.settle();
    expect(done).toMatchObject({ head, rewound: null });
    await expectSound(stage, done);
  });

  it('stay if the agent only checked out an older commit, or another branch, in the end', async () => {
    await using stage = await openStoryStage();
    stage.repo.git('branch', 'old', 'HEAD~2');
    const head = await stage.commits('work');
    stage.repo.git('checkout', '-q', 'old');
    const done = await stage.settle();
    expect(done).toMatchObject({ head, rewound: null, reverted: [], leftovers: false });
    expect(await readFile(stage.at('work.txt'), 'utf8')).toBe('work\n');
    await expectSound(stage, done);
  });

  it('stay if files of the older commit were changed, and these changes are kept', async () => {
    await using stage = await openStoryStage();
    const head = await stage.commits('work');
    stage.repo.git('checkout', '-q', '--detach', 'HEAD~1');
    await stage.repo.write('left.txt', 'left\n');
    const done = await stage.settle();
    expect(done).toMatchObject({ head, rewound: null, reverted: ['left.txt'], kept: KEPT });
    expect(stage.repo.git('show', `${KEPT}:left.txt`)).toBe('left');
    await expectSound(stage, done);
  });
});

describe('commits from before the turn come back', () => {
  it.each<[string, (stage: StoryStage) => Promise<void>, RegExp]>([
    ['by a reset', async ({ repo }) => void repo.git('reset', '-q', '--hard', 'HEAD~2'), /the branch main no longer had the commit/],
    ['by an amended commit', async ({ repo }) => void repo.git('commit', '-q', '--amend', '--allow-empty', '-m', 'amended'), /no longer had/],
    [
      'by a rebase',
      async (stage) => {
        await stage.commits('work');
        stage.repo.git('rebase', '-q', '--onto', 'HEAD~3', 'HEAD~1');
      },
      /no longer had/,
    ],
    [
      'by an orphan branch',
      async (stage) => {
        stage.repo.git('checkout', '-q', '--orphan', 'fresh');
        await stage.commits('work');
      },
      /HEAD was left on commits that do not come from/,
    ],
    [
      'by an orphan branch without a commit',
      async ({ repo }) => {
        repo.git('checkout', '-q', '--orphan', 'fresh');
        repo.git('rm', '-rqf', '.');
      },
      /HEAD was left/,
    ],
    [
      'by deleting the branch',
      async ({ repo }) => {
        repo.git('checkout', '-q', '--detach', 'HEAD~1');
        repo.git('branch', '-D', 'main');
      },
      /the branch main was deleted/,
    ],
    ['by deleting the branch that HEAD is on', async ({ repo }) => void repo.git('update-ref', '-d', 'refs/heads/main'), /the branch main was deleted/],
    [
      'by work on two branches',
      async (stage) => {
        await stage.commits('here');
        stage.repo.git('checkout', '-q', '-b', 'other', 'HEAD~1');
        await stage.commits('there');
      },
      /there were commits both on main and elsewhere/,
    ],
  ])('if an agent dropped or rewrote them %s', async (_how, agent, why) => {
    await using stage = await openStoryStage();
    await agent(stage);
    await stage.repo.write('left.txt', 'left\n');
    const done = await stage.settle();
    expect(done.rewound).toMatch(why);
    expect(done).toMatchObject({ head: stage.wish.head, tree: stage.wish.tree, commit: null, kept: KEPT });
    expect(done.reverted).toContain('left.txt');
    expect(stage.repo.git('show', `${KEPT}:left.txt`)).toBe('left');
    expect(lostCommits(stage)).toEqual([]);
    await expectSound(stage, done);
    expect(await stage.settle()).toEqual(done);
  });

  it("with the operator's uncommitted files", async () => {
    await using stage = await openStoryStage();
    await stage.repo.write('mine.txt', 'of the operator\n');
    const { tree } = await stage.ground.look();
    stage.repo.git('clean', '-fdq');
    stage.repo.git('reset', '-q', '--hard', 'HEAD~1');
    const done = await stage.settle({ tree });
    expect(done.rewound).not.toBeNull();
    expect(await readFile(stage.at('mine.txt'), 'utf8')).toBe('of the operator\n');
    await expectSound(stage, done);
  });

  it("with all other reverts, and with the loop's list of stories", async () => {
    await using stage = await openStoryStage();
    stage.repo.git('reset', '-q', '--hard', 'HEAD~2');
    await stage.commits('work', { 'src/a.ts': 'x\n', 'ralph/prd.md': 'less\n' });
    const done = await stage.settle({ revert: REVIEW, plan: '{"stories":3}\n' });
    expect(done).toMatchObject({ reverted: ['ralph/prd.md', 'src/a.ts'], leftovers: false, commit: done.head });
    expect(stage.repo.git('diff', '--name-only', stage.wish.head, 'HEAD')).toBe('ralph/tasks.json');
    await expectSound(stage, done);
  });

  it('onto a branch that was made a symbolic ref', async () => {
    await using stage = await openStoryStage();
    stage.repo.git('branch', 'other', 'HEAD~1');
    stage.repo.git('symbolic-ref', 'refs/heads/main', 'refs/heads/other');
    const done = await stage.settle();
    expect(done.rewound).toMatch(/no longer had/);
    expect(stage.repo.git('rev-parse', 'other')).toBe(stage.repo.git('rev-parse', 'HEAD~1'));
    await expectSound(stage, done);
  });
});
