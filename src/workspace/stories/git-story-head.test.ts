import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { expectSound, KEPT, lostCommits, openStoryStage, REVIEW, type StoryStage } from '../../../test/support/story-ground-stage.ts';

describe('commits that go on from where the turn began', () => {
  it('are taken over from another branch, with what is not committed there', async () => {
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

  it('are taken off the branch and kept, where nobody after it may see them', async () => {
    await using stage = await openStoryStage();
    const { head: begun } = stage.wish;
    const head = await stage.commits('verdict');
    await stage.repo.write('left.txt', 'left\n');
    const done = await stage.settle({ revert: { kind: 'all-but', paths: [] }, forget: true });
    expect(done).toMatchObject({ head: begun, commit: null, rewound: null, kept: KEPT, undone: ['left.txt', 'verdict.txt'] });
    expect(stage.repo.git('log', '--format=%H', KEPT)).toContain(head);
    expect(await stage.settle({ revert: { kind: 'all-but', paths: [] }, forget: true })).toEqual(done);
    await expectSound(stage, done);
  });

  it('are taken over from a HEAD that is on no branch', async () => {
    await using stage = await openStoryStage();
    await stage.commits('first');
    stage.repo.git('checkout', '-q', '--detach');
    const head = await stage.commits('second');
    const done = await stage.settle();
    expect(done).toMatchObject({ head, rewound: null, kept: null, leftovers: false });
    await expectSound(stage, done);
  });

  it('are taken over when the branch got another name', async () => {
    await using stage = await openStoryStage();
    stage.repo.git('branch', '-m', 'main', 'other');
    const head = await stage.commits('work');
    const done = await stage.settle();
    expect(done).toMatchObject({ head, rewound: null });
    await expectSound(stage, done);
  });

  it('stay when the agent only looked at something older in the end, or at a branch that it had left before', async () => {
    await using stage = await openStoryStage();
    stage.repo.git('branch', 'old', 'HEAD~2');
    const head = await stage.commits('work');
    stage.repo.git('checkout', '-q', 'old');
    const done = await stage.settle();
    expect(done).toMatchObject({ head, rewound: null, undone: [], leftovers: false });
    expect(await readFile(stage.at('work.txt'), 'utf8')).toBe('work\n');
    await expectSound(stage, done);
  });

  it('stay when something is changed in what it looks at, which is kept', async () => {
    await using stage = await openStoryStage();
    const head = await stage.commits('work');
    stage.repo.git('checkout', '-q', '--detach', 'HEAD~1');
    await stage.repo.write('left.txt', 'left\n');
    const done = await stage.settle();
    expect(done).toMatchObject({ head, rewound: null, undone: ['left.txt'], kept: KEPT });
    expect(stage.repo.git('show', `${KEPT}:left.txt`)).toBe('left');
    await expectSound(stage, done);
  });
});

describe('commits that were taken away or rewritten', () => {
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
      'by a branch that begins anew',
      async (stage) => {
        stage.repo.git('checkout', '-q', '--orphan', 'fresh');
        await stage.commits('work');
      },
      /HEAD was left on commits that do not come from/,
    ],
    [
      'by a branch that begins anew and has no commit',
      async ({ repo }) => {
        repo.git('checkout', '-q', '--orphan', 'fresh');
        repo.git('rm', '-rqf', '.');
      },
      /HEAD was left/,
    ],
    [
      'by the removal of the branch',
      async ({ repo }) => {
        repo.git('checkout', '-q', '--detach', 'HEAD~1');
        repo.git('branch', '-D', 'main');
      },
      /the branch main was deleted/,
    ],
    ['by the removal of the branch HEAD is on', async ({ repo }) => void repo.git('update-ref', '-d', 'refs/heads/main'), /the branch main was deleted/],
    [
      'by work on two branches',
      async (stage) => {
        await stage.commits('here');
        stage.repo.git('checkout', '-q', '-b', 'other', 'HEAD~1');
        await stage.commits('there');
      },
      /there were commits both on main and elsewhere/,
    ],
  ])('%s', async (_how, agent, why) => {
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

  it('come back with what the operator had not committed', async () => {
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

  it('come back whatever else is to be put back, and the list of stories says what it has to', async () => {
    await using stage = await openStoryStage();
    stage.repo.git('reset', '-q', '--hard', 'HEAD~2');
    await stage.commits('work', { 'src/a.ts': 'x\n', 'ralph/prd.md': 'less\n' });
    const done = await stage.settle({ revert: REVIEW, plan: '{"stories":3}\n' });
    expect(done).toMatchObject({ undone: ['ralph/prd.md', 'src/a.ts'], leftovers: false, commit: done.head });
    expect(stage.repo.git('diff', '--name-only', stage.wish.head, 'HEAD')).toBe('ralph/tasks.json');
    await expectSound(stage, done);
  });

  it('come back onto a branch that was made a name for another', async () => {
    await using stage = await openStoryStage();
    stage.repo.git('branch', 'other', 'HEAD~1');
    stage.repo.git('symbolic-ref', 'refs/heads/main', 'refs/heads/other');
    const done = await stage.settle();
    expect(done.rewound).toMatch(/no longer had/);
    expect(stage.repo.git('rev-parse', 'other')).toBe(stage.repo.git('rev-parse', 'HEAD~1'));
    await expectSound(stage, done);
  });
});
