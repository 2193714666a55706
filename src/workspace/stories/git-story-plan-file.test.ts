import { execFileSync } from 'node:child_process';
import { chmod, mkdir, readdir, readFile, rename, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { openStoryStage, PLAN, type StoryStage } from '../../../test/support/story-ground-stage.ts';

describe('the list of stories is read', () => {
  it('as text, without a byte order mark', async () => {
    await using stage = await openStoryStage();
    expect(await stage.ground.readPlan()).toEqual({ kind: 'text', text: '{"stories":1}\n' });
    await writeFile(stage.at(PLAN), '\uFEFF{"é":"🙂"}');
    expect(await stage.ground.readPlan()).toEqual({ kind: 'text', text: '{"é":"🙂"}' });
    await writeFile(stage.at(PLAN), '');
    expect(await stage.ground.readPlan()).toEqual({ kind: 'text', text: '' });
  });

  it('up to 4 MiB', async () => {
    await using stage = await openStoryStage();
    const text = 'x'.repeat(4 * 1024 * 1024);
    await writeFile(stage.at(PLAN), text);
    expect(await stage.ground.readPlan()).toEqual({ kind: 'text', text });
    await writeFile(stage.at(PLAN), `${text}x`);
    expect(await stage.ground.readPlan()).toEqual({ kind: 'refused', why: 'has more than 4 MiB' });
  });

  it.each<[string, (stage: StoryStage, path: string) => Promise<unknown>]>([
    ['is missing', async (_, path) => await rm(path)],
    ['is missing', async ({ at }) => await rm(at('ralph'), { recursive: true })],
    ['is missing', async ({ at, repo }) => await rm(at('ralph'), { recursive: true }).then(() => repo.write('ralph', 'a file\n'))],
    ['is a symbolic link', async (_, path) => await rm(path).then(() => symlink('prd.md', path))],
    ['is a symbolic link', async (_, path) => await rm(path).then(() => symlink('nowhere', path))],
    ['lies behind a symbolic link', async ({ at }) => await rename(at('ralph'), at('other')).then(() => symlink('other', at('ralph')))],
    ['is a folder', async (_, path) => await rm(path).then(() => mkdir(path))],
    ['is no regular file', async (_, path) => await rm(path).then(() => execFileSync('mkfifo', [path]))],
    ['is not UTF-8 text', async (_, path) => await writeFile(path, Buffer.from([0x7b, 0xff, 0x7d]))],
  ])('or reported: it %s', async (why, spoil) => {
    await using stage = await openStoryStage();
    await spoil(stage, stage.at(PLAN));
    expect(await stage.ground.readPlan()).toEqual(why === 'is missing' ? { kind: 'missing' } : { kind: 'refused', why });
  });
});

describe('the list of stories is recorded', () => {
  const text = '{"stories":2}\n';

  it('by a commit with nothing else, without hooks, and all other changes stay as they are', async () => {
    await using stage = await openStoryStage();
    const { repo } = stage;
    await stage.hook('pre-commit', 'exit 1');
    await repo.write('src/a.ts', 'staged\n');
    repo.git('add', 'src/a.ts');
    await repo.write('src/a.ts', 'changed again\n');
    await repo.write('src/b.ts', 'changed\n');
    await repo.write('new.txt', 'x\n');
    const before = repo.git('status', '--porcelain');
    const done = await stage.ground.recordPlan(text, 'review: [US-1] - approved');
    expect(done).toEqual({
      head: repo.git('rev-parse', 'HEAD'),
      tree: repo.git('rev-parse', 'HEAD^{tree}'),
      commit: repo.git('rev-parse', 'HEAD'),
      problem: null,
    });
    expect(repo.git('diff', '--name-only', 'HEAD~1', 'HEAD')).toBe(PLAN);
    expect(repo.git('log', '-1', '--format=%s|%an')).toBe('review: [US-1] - approved|Operator');
    expect(repo.git('status', '--porcelain')).toBe(before);
    expect(await readFile(stage.at(PLAN), 'utf8')).toBe(text);
    expect(await stage.ground.recordPlan(text, 'again')).toEqual({ ...done, commit: null });
  });

  it('even if an agent has committed the same text, and only the file or the index differs', async () => {
    await using stage = await openStoryStage();
    await stage.commits('work', { [PLAN]: text });
    await writeFile(stage.at(PLAN), '{}\n');
    stage.repo.git('add', PLAN);
    expect(await stage.ground.recordPlan(text, 'again')).toMatchObject({ commit: null, problem: null });
    expect(stage.repo.git('status', '--porcelain')).toBe('');
  });

  it('if it is new', async () => {
    await using stage = await openStoryStage({ 'readme.txt': 'hello\n' });
    expect((await stage.ground.recordPlan(text, 'first')).commit).not.toBeNull();
    expect(stage.repo.git('status', '--porcelain')).toBe('');
  });

  it('without a commit if it is ignored', async () => {
    await using stage = await openStoryStage({ '.gitignore': 'ralph/\n', 'readme.txt': 'hello\n' });
    expect(await stage.ground.recordPlan(text, 'first')).toEqual({
      head: stage.wish.head,
      tree: stage.repo.git('rev-parse', 'HEAD^{tree}'),
      commit: null,
      problem: null,
    });
    expect(await readFile(stage.at(PLAN), 'utf8')).toBe(text);
  });

  it('if it is tracked and ignored', async () => {
    await using stage = await openStoryStage();
    await stage.commits('ignores it', { '.gitignore': 'ralph/\n' });
    expect((await stage.ground.recordPlan(text, 'x')).commit).not.toBeNull();
  });

  it('in place of a read-only file, with the same permissions for others', async () => {
    await using stage = await openStoryStage();
    await chmod(stage.at(PLAN), 0o440);
    expect(await stage.ground.recordPlan(text, 'x')).toMatchObject({ problem: null });
    expect((await stat(stage.at(PLAN))).mode & 0o777).toBe(0o640);
    expect(await readdir(stage.at('ralph'))).toEqual(['prd.md', 'progress.txt', 'prompt.md', 'tasks.json']);
  });

  it('or one line says why not', async () => {
    await using stage = await openStoryStage();
    await rm(stage.at(PLAN));
    await mkdir(stage.at(PLAN));
    const { head, commit, problem } = await stage.ground.recordPlan(text, 'x');
    expect({ head, commit }).toEqual({ head: stage.wish.head, commit: null });
    expect(problem).toMatch(/EISDIR|ENOTEMPTY|directory/);
  });

  it('in a repository without an author, and with line ends that git changes', async () => {
    await using stage = await openStoryStage();
    for (const name of ['user.name', 'user.email']) stage.repo.git('config', '--unset', name);
    stage.repo.git('config', 'user.useConfigOnly', 'true');
    stage.repo.git('config', 'core.autocrlf', 'true');
    expect((await stage.ground.recordPlan('{\r\n}\r\n', 'x')).commit).not.toBeNull();
    expect((await stage.ground.recordPlan('{\r\n}\r\n', 'x')).commit).toBeNull();
    expect(stage.repo.git('status', '--porcelain')).toBe('');
  });
});
