import { rm, writeFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { deepIt } from '../../../test/support/deep.ts';
import { expectSound, openStoryStage, type StoryStage } from '../../../test/support/story-ground-stage.ts';

const orFails = (work: () => void) => {
  try {
    work();
  } catch {}
};

/** Two branches that conflict. */
async function withConflict(stage: StoryStage): Promise<void> {
  stage.repo.git('checkout', '-q', '-b', 'other');
  await stage.commits('theirs', { 'src/a.ts': 'theirs\n' });
  stage.repo.git('checkout', '-q', 'main');
  await stage.commits('ours', { 'src/a.ts': 'ours\n' });
}

describe('Ralph ends what an agent leaves half done', () => {
  it.each([
    ['a merge', ['merge', 'other']],
    ['a picked commit', ['cherry-pick', 'other']],
    ['several picked commits', ['cherry-pick', 'other', 'other~1']],
    ['a reverted commit', ['revert', '--no-edit', 'HEAD~1']],
  ])('%s', async (_what, words) => {
    await using stage = await openStoryStage();
    await withConflict(stage);
    if (words[0] === 'revert') await stage.commits('more', { 'src/a.ts': 'more\n' });
    const head = stage.repo.git('rev-parse', 'HEAD');
    orFails(() => stage.repo.git(...words));
    expect(stage.repo.git('status')).toContain('nmerged');
    const done = await stage.settle();
    expect(done).toMatchObject({ leftovers: true, rewound: null, hook: null });
    expect(stage.repo.git('rev-parse', 'HEAD~1')).toBe(head);
    expect(stage.repo.git('show', 'HEAD:src/a.ts')).toContain('<<<<<<<');
    await expectSound(stage, done);
  });

  it('a rebase, and keeps the commits before and after it', async () => {
    await using stage = await openStoryStage();
    await withConflict(stage);
    const ours = stage.repo.git('rev-parse', 'HEAD');
    orFails(() => stage.repo.git('rebase', '-q', 'other'));
    const done = await stage.settle();
    expect(done.rewound).toMatch(/both on main and elsewhere/);
    expect(stage.repo.git('merge-base', ours, stage.wish.keptRef)).toBe(ours);
    expect(stage.repo.git('show', `${stage.wish.keptRef}:src/a.ts`)).toContain('<<<<<<<');
    await expectSound(stage, done);
  });

  deepIt('all of them are ended by the same commands')('a bisect', async () => {
    await using stage = await openStoryStage();
    const head = await stage.commits('work');
    stage.repo.git('bisect', 'start', 'HEAD', 'HEAD~3');
    const done = await stage.settle();
    expect(done).toMatchObject({ head, rewound: null, leftovers: false });
    expect(stage.repo.git('for-each-ref', 'refs/bisect')).toBe('');
    await expectSound(stage, done);
  });

  deepIt('all of them are ended by the same commands')('patches that do not apply', async () => {
    await using stage = await openStoryStage();
    await withConflict(stage);
    await writeFile(`${stage.repo.beside}/patch`, `${stage.repo.git('format-patch', '--stdout', '-1', 'other')}\n`);
    orFails(() => stage.repo.git('am', `${stage.repo.beside}/patch`));
    await expectSound(stage, await stage.settle());
  });
});

describe('a repository that an agent has damaged', () => {
  it('gets another index if that is gone, and no tracked file is dropped', async () => {
    await using stage = await openStoryStage();
    await stage.repo.write('ignored/tracked', 'x\n');
    stage.repo.git('add', '-f', 'ignored/tracked');
    stage.repo.git('commit', '-q', '-m', 'a tracked file that is ignored');
    await stage.repo.write('left.txt', 'left\n');
    await rm(stage.at('.git/index'));
    const done = await stage.settle();
    expect(stage.repo.git('diff', '--name-status', 'HEAD~1', 'HEAD')).toBe('A\tleft.txt');
    await expectSound(stage, done);
  });

  it('gets another index if that is unreadable', async () => {
    await using stage = await openStoryStage();
    await stage.repo.write('left.txt', 'left\n');
    await writeFile(stage.at('.git/index'), 'nonsense');
    await expectSound(stage, await stage.settle());
  });

  it('loses the locks of a killed git', async () => {
    await using stage = await openStoryStage();
    stage.repo.git('checkout', '-q', '--detach');
    await stage.commits('work');
    await stage.repo.write('left.txt', 'left\n');
    for (const lock of ['index', 'HEAD', 'refs/heads/main', 'packed-refs']) await stage.repo.write(`.git/${lock}.lock`, '');
    await expectSound(stage, await stage.settle());
  });

  it('keeps nothing staged that is not in the files', async () => {
    await using stage = await openStoryStage();
    await stage.repo.write('src/a.ts', 'staged\n');
    stage.repo.git('add', 'src/a.ts');
    await stage.repo.write('src/a.ts', 'a\n');
    await stage.repo.write('meant.txt', 'x\n');
    stage.repo.git('add', '-N', 'meant.txt');
    await rm(stage.at('meant.txt'));
    const done = await stage.settle();
    expect(done).toMatchObject({ head: stage.wish.head, commit: null, leftovers: false });
    await expectSound(stage, done);
  });
});
