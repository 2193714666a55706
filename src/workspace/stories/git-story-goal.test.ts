import { existsSync } from 'node:fs';
import { chmod, mkdir, readFile, rename, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { expectSound, FROZEN, KEPT, openStoryStage, PLAN, REVIEW } from '../../../test/support/story-ground-stage.ts';

describe('Ralph reverts what an agent may not touch', () => {
  it('if it is committed, by a commit on top', async () => {
    await using stage = await openStoryStage();
    const head = await stage.commits('work', { 'ralph/prd.md': 'less\n', 'ralph/prompt.md': null, 'src/a.ts': 'better\n' });
    const done = await stage.settle();
    expect(done).toMatchObject({ reverted: FROZEN, kept: KEPT, leftovers: false, commit: done.head });
    expect(stage.repo.git('rev-parse', 'HEAD~1')).toBe(head);
    expect(stage.repo.git('diff', '--name-only', stage.wish.head, 'HEAD')).toBe('src/a.ts');
    expect(stage.repo.git('show', `${KEPT}:ralph/prd.md`)).toBe('less');
    await expectSound(stage, done);
  });

  it('if it is not committed, or only staged', async () => {
    await using stage = await openStoryStage();
    await stage.repo.write('ralph/prd.md', 'less\n');
    await stage.repo.write('ralph/prompt.md', 'another\n');
    stage.repo.git('add', 'ralph/prompt.md');
    const done = await stage.settle();
    expect(done).toMatchObject({ head: stage.wish.head, reverted: FROZEN, kept: KEPT, commit: null });
    await expectSound(stage, done);
  });

  it('in a review: code, committed or not, new and deleted files, but not the folder of the stories', async () => {
    await using stage = await openStoryStage();
    await stage.commits('fix', { 'src/a.ts': 'fixed\n', 'committed.txt': 'x\n' });
    await stage.repo.write('new "file"\n🙂.txt', 'x\n');
    await stage.repo.write('deep/er/new.txt', 'x\n');
    await rm(stage.at('src/b.ts'));
    await stage.repo.write('ralph/progress.txt', 'reviewed\n');
    await stage.repo.write('ralph/notes.md', 'x\n');
    await stage.repo.write('ignored/x', 'x\n');
    const done = await stage.settle({ revert: REVIEW });
    const reverted = ['committed.txt', 'deep/er/new.txt', 'new "file"\n🙂.txt', 'src/a.ts', 'src/b.ts'];
    expect(done).toMatchObject({ reverted, kept: KEPT, leftovers: true });
    expect(stage.repo.git('diff', '--name-only', stage.wish.head, 'HEAD').split('\n')).toEqual(['ralph/notes.md', 'ralph/progress.txt']);
    expect(stage.repo.git('show', `${KEPT}:src/a.ts`)).toBe('fixed');
    expect([existsSync(stage.at('deep')), existsSync(stage.at('ignored/x'))]).toEqual([false, true]);
    await expectSound(stage, done);
  });

  it('and finds files that an agent hides with a new .gitignore', async () => {
    await using stage = await openStoryStage();
    await stage.repo.write('.gitignore', 'ignored/\nhidden.txt\n');
    await stage.repo.write('src/.gitignore', 'evil.ts\n');
    await stage.repo.write('hidden.txt', 'x\n');
    await stage.repo.write('src/evil.ts', 'x\n');
    const done = await stage.settle({ revert: REVIEW });
    expect(done.reverted).toEqual(['.gitignore', 'hidden.txt', 'src/.gitignore', 'src/evil.ts']);
    await expectSound(stage, done);
  });

  it('and keeps files that were always ignored if the .gitignore was removed', async () => {
    await using stage = await openStoryStage();
    await stage.repo.write('ignored/large', 'x\n');
    await rm(stage.at('.gitignore'));
    const done = await stage.settle({ revert: REVIEW });
    expect(done.reverted).toEqual(['.gitignore']);
    expect(await readFile(stage.at('ignored/large'), 'utf8')).toBe('x\n');
    await expectSound(stage, done);
  });

  it('and what an agent has told git not to look at', async () => {
    await using stage = await openStoryStage();
    stage.repo.git('update-index', '--assume-unchanged', 'src/a.ts');
    stage.repo.git('update-index', '--skip-worktree', 'ralph/prd.md');
    await stage.repo.write('src/a.ts', 'x\n');
    await stage.repo.write('ralph/prd.md', 'less\n');
    expect((await stage.settle({ revert: { kind: 'all-but', paths: [] } })).reverted).toEqual(['ralph/prd.md', 'src/a.ts']);
    expect(await readFile(stage.at('ralph/prd.md'), 'utf8')).toBe('what is wanted\n');
  });

  it('if it became a link, a folder or read-only, and if its folder was moved', async () => {
    await using stage = await openStoryStage();
    await rm(stage.at('src/a.ts'));
    await symlink('b.ts', stage.at('src/a.ts'));
    await rm(stage.at('readme.txt'));
    await stage.repo.write('readme.txt/x', 'x\n');
    await stage.repo.write('src/b.ts', 'x\n');
    await chmod(stage.at('src/b.ts'), 0o444);
    await rename(stage.at('ralph'), stage.at('elsewhere'));
    const done = await stage.settle({ revert: { kind: 'all-but', paths: [] } });
    expect(done).toMatchObject({ head: stage.wish.head, tree: stage.wish.tree });
    expect(existsSync(stage.at('elsewhere'))).toBe(false);
    await expectSound(stage, done);
  });

  it('by its literal name, even if that looks like a pattern', async () => {
    await using stage = await openStoryStage({ 'a[b]*.txt': '1\n', 'ab.txt': '2\n', [PLAN]: '{}\n' });
    await stage.commits('work', { 'a[b]*.txt': 'x\n', 'ab.txt': 'x\n' });
    expect((await stage.settle({ revert: { kind: 'only', paths: ['a[b]*.txt'] } })).reverted).toEqual(['a[b]*.txt']);
    expect(stage.repo.git('show', 'HEAD:ab.txt')).toBe('x');
  });
});

describe("the list of stories has the loop's text before everything is committed", () => {
  const plan = '{"stories":"as the loop has it"}\n';

  it.each<[string, (path: string) => Promise<unknown>]>([
    ['a file with another text', async (path) => await writeFile(path, 'no JSON')],
    ['a missing file', async (path) => await rm(path)],
    ['a read-only file', async (path) => await chmod(path, 0o444)],
    ['a link that leads out of the work tree', async (path) => await rm(path).then(() => symlink('/etc/hostname', path))],
    ['a link that leads to another file', async (path) => await rm(path).then(() => symlink('prd.md', path))],
    ['an empty folder', async (path) => await rm(path).then(() => mkdir(path))],
    [
      'a folder with files',
      async (path) =>
        await rm(path)
          .then(() => mkdir(path))
          .then(() => writeFile(`${path}/x`, 'x\n')),
    ],
  ])('in place of %s', async (_what, spoil) => {
    await using stage = await openStoryStage();
    await spoil(stage.at(PLAN));
    const done = await stage.settle({ plan });
    expect(done).toMatchObject({ reverted: [], leftovers: false, commit: done.head });
    expect([await readFile(stage.at(PLAN), 'utf8'), await readFile(stage.at('ralph/prd.md'), 'utf8')]).toEqual([plan, 'what is wanted\n']);
    expect((await stat(stage.at(PLAN))).isFile()).toBe(true);
    expect(stage.repo.git('show', `HEAD:${PLAN}`)).toBe(plan.trim());
    await expectSound(stage, done);
    if (_what === 'a folder with files') expect(stage.repo.git('show', `${KEPT}:${PLAN}/x`)).toBe('x');
  });

  it('if its folder is a link to elsewhere, whose target stays as it is', async () => {
    await using stage = await openStoryStage();
    const { repo } = stage;
    await mkdir(`${repo.beside}/outside`);
    await writeFile(`${repo.beside}/outside/tasks.json`, 'mine\n');
    await rm(stage.at('ralph'), { recursive: true });
    await symlink(`${repo.beside}/outside`, stage.at('ralph'));
    const done = await stage.settle({ plan });
    expect(done.reverted).toEqual(['ralph', ...FROZEN]);
    expect(await readFile(`${repo.beside}/outside/tasks.json`, 'utf8')).toBe('mine\n');
    expect(await readFile(stage.at(PLAN), 'utf8')).toBe(plan);
    await expectSound(stage, done);
  });

  it('without a commit if it is ignored', async () => {
    await using stage = await openStoryStage({ '.gitignore': 'ralph/\n', 'readme.txt': 'hello\n' });
    await stage.repo.write(PLAN, '{}\n');
    const done = await stage.settle({ plan });
    expect(done).toMatchObject({ head: stage.wish.head, commit: null });
    expect(await readFile(stage.at(PLAN), 'utf8')).toBe(plan);
  });

  it('in a commit on top if an agent has committed another', async () => {
    await using stage = await openStoryStage();
    await stage.commits('work', { [PLAN]: '{"approved":true}\n' });
    const done = await stage.settle({ plan });
    expect(done).toMatchObject({ reverted: [], kept: null, leftovers: false, commit: done.head });
    await expectSound(stage, done);
  });
});

describe('a file that matches a protected pattern', () => {
  it('is reverted in a turn that may change everything else, but the list of stories never is', async () => {
    await using stage = await openStoryStage();
    await stage.repo.write('src/a.ts', 'worked\n');
    await stage.repo.write('src/deep/b.spec.ts', 'evil\n');
    await stage.repo.write('readme.txt', 'evil\n');
    await stage.repo.write(PLAN, '{"stories":2}\n');
    const done = await stage.settle({ revert: { kind: 'only', paths: FROZEN, patterns: ['**/*.spec.ts', 'readme.*', 'ralph/**'] } });
    expect(done.reverted).toEqual(['readme.txt', 'src/deep/b.spec.ts']);
    expect(done.kept).toBe(KEPT);
    expect(stage.repo.git('show', `${KEPT}:readme.txt`)).toBe('evil');
    expect(stage.repo.git('show', 'HEAD:readme.txt')).toBe('hello');
    expect(stage.repo.git('show', 'HEAD:src/a.ts')).toBe('worked');
    expect(stage.repo.git('show', `HEAD:${PLAN}`)).toBe('{"stories":2}');
    await expectSound(stage, done);
  });

  it('is reverted even if a reviewer may write there', async () => {
    await using stage = await openStoryStage();
    await stage.repo.write('ralph/notes.md', 'evil\n');
    const done = await stage.settle({ revert: { ...REVIEW, patterns: ['ralph/*.md'] } });
    expect(done.reverted).toEqual(['ralph/notes.md']);
  });
});
