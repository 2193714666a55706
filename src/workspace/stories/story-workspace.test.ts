import { readFile, rm } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { deepIt } from '../../../test/support/deep.ts';
import { expectSound, openStoryStage, PLAN, REVIEW } from '../../../test/support/story-ground-stage.ts';

describe('a look at the story workspace', () => {
  it('returns HEAD, branch, tree and uncommitted paths, and changes nothing', async () => {
    await using stage = await openStoryStage();
    await stage.repo.write('new "file"\n🙂.txt', 'x\n');
    await stage.repo.write('ignored/x', 'x\n');
    const before = stage.repo.git('status', '--porcelain');
    const sight = await stage.ground.look();
    expect(sight).toMatchObject({ head: stage.wish.head, branch: 'main', dirty: ['new "file"\n🙂.txt'] });
    expect(stage.repo.git('cat-file', '-t', sight.tree)).toBe('tree');
    expect(stage.repo.git('status', '--porcelain')).toBe(before);
    stage.repo.git('checkout', '-q', '--detach');
    expect(await stage.ground.look()).toMatchObject({ branch: null });
  });

  it('knows the tracked files even if the index is gone', async () => {
    await using stage = await openStoryStage({ '.gitignore': '*.log\n', 'readme.txt': 'hello\n' });
    await stage.repo.write('kept.log', 'x\n');
    stage.repo.git('add', '-f', 'kept.log');
    stage.repo.git('commit', '-q', '-m', 'a tracked file that is ignored');
    await rm(stage.at('.git/index'));
    expect((await stage.ground.look()).dirty).toEqual([]);
  });

  it('reports in one line what no commit can contain', async () => {
    await using stage = await openStoryStage();
    stage.repo.git('init', '-q', 'inner');
    await stage.repo.write('inner/file', 'x\n');
    await expect(stage.ground.look()).rejects.toThrow('no commit can hold inner: a repository of its own without a commit');
    await stage.repo.write('inner/.git/x', 'x\n');
    stage.repo.git('-C', 'inner', 'add', 'file');
    stage.repo.git('-C', 'inner', 'commit', '-q', '-m', 'inner');
    await expect(stage.ground.look()).rejects.toThrow('no commit can hold inner: a repository of its own, whose files are not kept');
  });
});

describe('a settled story workspace', () => {
  it('stays as it is if the agent has committed everything', async () => {
    await using stage = await openStoryStage();
    const head = await stage.commits('work');
    const done = await stage.settle();
    expect(done).toMatchObject({ head, commit: null, leftovers: false, reverted: [], kept: null, rewound: null, hook: null });
    await expectSound(stage, done);
  });

  it("contains the agent's leftovers: new, changed, deleted and staged files of any name, and no ignored one", async () => {
    await using stage = await openStoryStage();
    const { repo } = stage;
    const odd = ['with "quotes"', 'a\nnewline', '🙂 emoji', '-dash', '[brackets]*', 'trailing space '];
    for (const name of odd) await repo.write(`odd/${name}`, 'x\n');
    await repo.write('src/a.ts', 'changed\n');
    await rm(stage.at('src/b.ts'));
    await repo.write('staged.txt', 'staged\n');
    repo.git('add', 'staged.txt');
    await repo.write('ignored/x', 'x\n');
    const done = await stage.settle();
    expect(done).toMatchObject({ leftovers: true, reverted: [], kept: null });
    expect(done.commit).toBe(done.head);
    await expectSound(stage, done);
    const names = repo.git('ls-tree', '-r', '-z', '--name-only', 'HEAD').split('\0');
    expect(names).toEqual(expect.arrayContaining([...odd.map((name) => `odd/${name}`), 'staged.txt']));
    expect([names.includes('src/b.ts'), names.includes('ignored/x')]).toEqual([false, false]);
    expect(repo.git('log', '-1', '--format=%s|%an')).toBe('feat: [US-1] - what was left|Operator');
  });

  it('gives the same result however often it is settled', async () => {
    await using stage = await openStoryStage();
    await stage.commits('work', { 'ralph/prd.md': 'less\n', 'src/a.ts': 'better\n' });
    await stage.repo.write('left.txt', 'left\n');
    const request = { ...stage.wish, plan: '{"stories":2}\n' };
    const done = await stage.ground.settle(request);
    expect(done).toMatchObject({ leftovers: true, reverted: ['ralph/prd.md'], kept: request.keptRef });
    expect(await stage.ground.settle(request)).toEqual(done);
    expect(await stage.again().settle(request)).toEqual(done);
    await expectSound(stage, done);
    expect(await readFile(stage.at(PLAN), 'utf8')).toBe('{"stories":2}\n');
  });

  it('can be settled in two steps under one ref', async () => {
    await using stage = await openStoryStage();
    await stage.commits('work', { 'ralph/prd.md': 'less\n' });
    await stage.repo.write('src/a.ts', 'fixed by the reviewer\n');
    await stage.settle();
    const done = await stage.settle({ revert: REVIEW, plan: '{"stories":2}\n' });
    expect(done).toMatchObject({ leftovers: true, reverted: ['ralph/prd.md', 'src/a.ts'] });
    await expectSound(stage, done);
  });

  it("counts only the agent's leftovers, not files from before, nor the list of stories", async () => {
    await using stage = await openStoryStage();
    await stage.repo.write('mine.txt', 'of the operator\n');
    const { tree } = await stage.ground.look();
    await stage.repo.write(PLAN, '{"stories":2}\n');
    const done = await stage.settle({ tree });
    expect(done).toMatchObject({ leftovers: false, commit: done.head });
    await expectSound(stage, done);
  });

  it('leaves out of a commit what the operator hides, but not what an agent hides', async () => {
    await using stage = await openStoryStage();
    const { repo } = stage;
    repo.git('update-index', '--skip-worktree', 'readme.txt');
    await repo.write('readme.txt', 'a secret of the operator\n');
    const { tree } = await stage.ground.look();
    repo.git('update-index', '--assume-unchanged', 'src/a.ts');
    await repo.write('src/a.ts', 'hidden by the agent\n');
    const done = await stage.settle({ tree });
    expect(done).toMatchObject({ leftovers: true, head: done.commit });
    expect(repo.git('show', 'HEAD:src/a.ts')).toBe('hidden by the agent');
    expect(repo.git('show', 'HEAD:readme.txt')).toBe('hello');
    expect(await readFile(stage.at('readme.txt'), 'utf8')).toBe('a secret of the operator\n');
  });

  it('reports in one line what cannot be committed, and removes nothing', async () => {
    await using stage = await openStoryStage();
    const { repo } = stage;
    repo.git('init', '-q', 'inner');
    await repo.write('inner/file', 'x\n');
    await expect(stage.settle()).rejects.toThrow('no commit can hold inner');
    repo.git('-C', 'inner', 'add', 'file');
    repo.git('-C', 'inner', 'commit', '-q', '-m', 'inner');
    await expect(stage.settle({ revert: REVIEW })).rejects.toThrow('no commit can hold inner');
    expect(await readFile(stage.at('inner/file'), 'utf8')).toBe('x\n');
  });

  deepIt('submodules are reported where git is looked at')('reports uncommitted changes in a submodule', async () => {
    await using stage = await openStoryStage();
    const { repo } = stage;
    repo.git('init', '-q', '../beside/sub');
    repo.git('-C', '../beside/sub', 'commit', '-q', '--allow-empty', '-m', 'sub');
    await repo.write('../beside/sub/file', 'x\n');
    repo.git('-C', '../beside/sub', 'add', 'file');
    repo.git('-C', '../beside/sub', 'commit', '-q', '-m', 'file');
    repo.git('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', `${repo.beside}/sub`, 'sub');
    const added = await stage.settle();
    await expectSound(stage, added);
    await repo.write('sub/untracked', 'x\n');
    expect(await stage.settle({ head: added.head, tree: added.tree, keptRef: `${stage.wish.keptRef}0` })).toMatchObject({ commit: null });
    await repo.write('sub/file', 'changed\n');
    await expect(stage.settle()).rejects.toThrow('what was changed in the submodule sub is not committed there');
    expect(await readFile(stage.at('sub/file'), 'utf8')).toBe('changed\n');
  });
});
