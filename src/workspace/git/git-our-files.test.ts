import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openCommitter } from '../../../test/support/committer.ts';
import { openedGit } from '../../../test/support/opened-git.ts';
import { never } from '../../../test/support/process-request.ts';
import { openRepo, type Repo } from '../../../test/support/repo.ts';
import { OUR_FILES } from '../git-exclude.ts';

const OURS = [
  '.ralph/.gitignore',
  '.ralph/runs/1/journal.jsonl',
  '.ralph-active',
  'sub/.ralph/x.log',
  'sub/.ralph-active',
  'logs/ralph.jsonl',
  'logs/task-audit.jsonl',
];
const USERS = ['.ralph/settings.json', 'sub/.ralph/settings.json', 'sub/logs/ralph.jsonl', 'logs/other.jsonl', '.ralph.md', 'x.ralph/y'];

async function writeAll(repo: Repo, names: readonly string[], content: string): Promise<void> {
  for (const name of names) await repo.write(name, content);
}

const headTree = (repo: Repo) => repo.git('rev-parse', 'HEAD^{tree}');
const filesOf = (repo: Repo, tree: string | null | undefined) => repo.git('ls-tree', '-r', '--name-only', `${tree}`).split('\n');

describe("Ralph's own files", () => {
  it('are not part of a tree, however they came into the index, and no file of the operator is left out', async () => {
    await using repo = await openRepo({ 'a.txt': 'a\n' });
    await writeAll(repo, [...OURS, ...USERS], 'x\n');
    repo.git('add', '-f', '.');
    const git = await openedGit(repo.path);
    const sight = await git.look();
    expect(filesOf(repo, sight?.tree)).toEqual(['a.txt', ...USERS].sort());
    expect(await git.tree()).toBe(sight?.tree);
    expect((await git.snapshot())?.dirty).toEqual(USERS.toSorted());
  });

  it('are the ones that a .gitignore with the same lines hides', async () => {
    await using repo = await openRepo({ 'a.txt': 'a\n' });
    await writeAll(repo, [...OURS, ...USERS], 'x\n');
    await repo.write('.git/info/exclude', OUR_FILES.join('\n'));
    expect(repo.git('ls-files', '--others', '--exclude-standard').split('\n')).toEqual(USERS.toSorted());
    expect(repo.git('ls-files', '--others', '--ignored', '--exclude-standard').split('\n')).toEqual(OURS.toSorted());
  });

  it('do not count as a change, also from a subfolder and before the first commit', async () => {
    await using repo = await openRepo({ 'sub/a.txt': 'a\n' });
    await writeAll(repo, OURS, 'x\n');
    repo.git('add', '-f', '.');
    expect((await (await openedGit(join(repo.path, 'sub'))).look())?.tree).toBe(headTree(repo));
    repo.git('checkout', '-q', '--orphan', 'fresh');
    const sight = await (await openedGit(repo.path)).look();
    expect(sight).toMatchObject({ head: null, headTree: null });
    expect(filesOf(repo, sight?.tree)).toEqual(['sub/a.txt']);
  });

  it('that HEAD has stay as in HEAD, whether changed, staged or removed', async () => {
    const [changed, staged, gone] = ['.ralph/guardrail_001_x.log', 'logs/ralph.jsonl', '.ralph-active'] as const;
    await using repo = await openRepo({ 'a.txt': 'a\n', [changed]: 'old\n', [staged]: 'old\n', [gone]: 'old\n' });
    const git = await openedGit(repo.path);
    await writeAll(repo, [changed, staged], 'new\n');
    repo.git('add', '-f', staged);
    await rm(join(repo.path, gone));
    for (const tree of [await git.tree(), await git.tree(), (await git.look())?.tree]) expect(tree).toBe(headTree(repo));
    expect((await git.snapshot())?.dirty).toEqual([]);
  });

  it('that were staged are neither in the commit nor in the index after it', async () => {
    await using repo = await openRepo({ 'a.txt': 'a\n', '.ralph/old.log': 'old\n' });
    await repo.write('.git/info/exclude', OUR_FILES.join('\n'));
    await writeAll(repo, [...OURS, '.ralph/old.log', 'work.txt'], 'x\n');
    repo.git('add', '-f', '.');
    const committer = await openCommitter(repo.path);
    const request = await committer.wish();
    expect(await committer.git.commit(request, never)).toMatchObject({ kind: 'made', tree: request.tree, leftOut: [] });
    expect(repo.git('diff', '--name-only', 'HEAD~1', 'HEAD')).toBe('work.txt');
    expect(repo.git('status', '--porcelain')).toBe('M .ralph/old.log');
  });

  it('do not count whatever diff settings the operator has', async () => {
    await using repo = await openRepo({ 'a.txt': 'a\n', '.ralph/old.log': 'old\n' });
    for (const [name, value] of Object.entries({ 'diff.external': 'false', 'diff.renames': 'copies', 'diff.noprefix': 'true' }))
      repo.git('config', name, value);
    const git = await openedGit(repo.path);
    await repo.write('.ralph/old.log', 'new\n');
    await repo.write('b.txt', 'old\n');
    const tree = await git.tree();
    expect(await git.tree()).toBe(tree);
    expect(filesOf(repo, (await git.look())?.tree)).toEqual(['.ralph/old.log', 'a.txt', 'b.txt']);
    expect((await git.look())?.tree).toBe(tree);
  });
});
