import { existsSync } from 'node:fs';
import { chmod, mkdir, readFile, rename, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { expectSound, FROZEN, KEPT, openStoryStage, PLAN, REVIEW } from '../../../test/support/story-ground-stage.ts';

describe('what an agent may not touch is put back', () => {
  it('when it is committed, by a commit on top of that', async () => {
    await using stage = await openStoryStage();
    const head = await stage.commits('work', { 'ralph/prd.md': 'less\n', 'ralph/prompt.md': null, 'src/a.ts': 'better\n' });
    const done = await stage.settle();
    expect(done).toMatchObject({ undone: FROZEN, kept: KEPT, leftovers: false, commit: done.head });
    expect(stage.repo.git('rev-parse', 'HEAD~1')).toBe(head);
    expect(stage.repo.git('diff', '--name-only', stage.wish.head, 'HEAD')).toBe('src/a.ts');
    expect(stage.repo.git('show', `${KEPT}:ralph/prd.md`)).toBe('less');
    await expectSound(stage, done);
  });

  it('when it is not committed, and when it was only staged', async () => {
    await using stage = await openStoryStage();
    await stage.repo.write('ralph/prd.md', 'less\n');
    await stage.repo.write('ralph/prompt.md', 'another\n');
    stage.repo.git('add', 'ralph/prompt.md');
    const done = await stage.settle();
    expect(done).toMatchObject({ head: stage.wish.head, undone: FROZEN, kept: KEPT, commit: null });
    await expectSound(stage, done);
  });

  it('in a review: code, committed or not, new files, deleted ones, and not what is in the folder of the stories', async () => {
    await using stage = await openStoryStage();
    await stage.commits('fix', { 'src/a.ts': 'fixed\n', 'committed.txt': 'x\n' });
    await stage.repo.write('new "file"\n🙂.txt', 'x\n');
    await stage.repo.write('deep/er/new.txt', 'x\n');
    await rm(stage.at('src/b.ts'));
    await stage.repo.write('ralph/progress.txt', 'reviewed\n');
    await stage.repo.write('ralph/notes.md', 'x\n');
    await stage.repo.write('ignored/x', 'x\n');
    const done = await stage.settle({ revert: REVIEW });
    const undone = ['committed.txt', 'deep/er/new.txt', 'new "file"\n🙂.txt', 'src/a.ts', 'src/b.ts'];
    expect(done).toMatchObject({ undone, kept: KEPT, leftovers: true });
    expect(stage.repo.git('diff', '--name-only', stage.wish.head, 'HEAD').split('\n')).toEqual(['ralph/notes.md', 'ralph/progress.txt']);
    expect(stage.repo.git('show', `${KEPT}:src/a.ts`)).toBe('fixed');
    expect([existsSync(stage.at('deep')), existsSync(stage.at('ignored/x'))]).toEqual([false, true]);
    await expectSound(stage, done);
  });

  it('and what an agent hides behind a new .gitignore is found', async () => {
    await using stage = await openStoryStage();
    await stage.repo.write('.gitignore', 'ignored/\nhidden.txt\n');
    await stage.repo.write('src/.gitignore', 'evil.ts\n');
    await stage.repo.write('hidden.txt', 'x\n');
    await stage.repo.write('src/evil.ts', 'x\n');
    const done = await stage.settle({ revert: REVIEW });
    expect(done.reverted).toEqual(['.gitignore', 'hidden.txt', 'src/.gitignore', 'src/evil.ts']);
    await expectSound(stage, done);
  });

  it('and what was always ignored stays when the .gitignore is taken away', async () => {
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

  it('when it became a link, a folder or read-only, and when the folder was moved away', async () => {
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

  it('by its very name: what looks like a pattern is none', async () => {
    await using stage = await openStoryStage({ 'a[b]*.txt': '1\n', 'ab.txt': '2\n', [PLAN]: '{}\n' });
    await stage.commits('work', { 'a[b]*.txt': 'x\n', 'ab.txt': 'x\n' });
    expect((await stage.settle({ revert: { kind: 'only', paths: ['a[b]*.txt'] } })).reverted).toEqual(['a[b]*.txt']);
    expect(stage.repo.git('show', 'HEAD:ab.txt')).toBe('x');
  });
});

describe('the list of stories says what it has to before all is committed', () => {
  const plan = '{"stories":"as the loop has it"}\n';

  it.each<[string, (path: string) => Promise<unknown>]>([
    ['a file that says something else', async (path) => await writeFile(path, 'no JSON')],
    ['nothing', async (path) => await rm(path)],
    ['a file nobody may write', async (path) => await chmod(path, 0o444)],
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
    expect(done).toMatchObject({ undone: [], leftovers: false, commit: done.head });
    expect([await readFile(stage.at(PLAN), 'utf8'), await readFile(stage.at('ralph/prd.md'), 'utf8')]).toEqual([plan, 'what is wanted\n']);
    expect((await stat(stage.at(PLAN))).isFile()).toBe(true);
    expect(stage.repo.git('show', `HEAD:${PLAN}`)).toBe(plan.trim());
    await expectSound(stage, done);
    if (_what === 'a folder with files') expect(stage.repo.git('show', `${KEPT}:${PLAN}/x`)).toBe('x');
  });

  it('where its folder is a link to elsewhere, which stays as it is', async () => {
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

  it('where it is ignored it is only written', async () => {
    await using stage = await openStoryStage({ '.gitignore': 'ralph/\n', 'readme.txt': 'hello\n' });
    await stage.repo.write(PLAN, '{}\n');
    const done = await stage.settle({ plan });
    expect(done).toMatchObject({ head: stage.wish.head, commit: null });
    expect(await readFile(stage.at(PLAN), 'utf8')).toBe(plan);
  });

  it('where an agent has committed another, it is put on top', async () => {
    await using stage = await openStoryStage();
    await stage.commits('work', { [PLAN]: '{"approved":true}\n' });
    const done = await stage.settle({ plan });
    expect(done).toMatchObject({ undone: [], kept: null, leftovers: false, commit: done.head });
    await expectSound(stage, done);
  });
});

describe('what matches a protected pattern', () => {
  it('is put back in a turn that may change all else, but never the list of stories', async () => {
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

  it('is put back although a reviewer may write there', async () => {
    await using stage = await openStoryStage();
    await stage.repo.write('ralph/notes.md', 'evil\n');
    const done = await stage.settle({ revert: { ...REVIEW, patterns: ['ralph/*.md'] } });
    expect(done.reverted).toEqual(['ralph/notes.md']);
  });
});
