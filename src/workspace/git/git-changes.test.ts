import { readdir, rename, symlink, truncate } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openedGit } from '../../../test/support/opened-git.ts';
import { openRepo, type Repo } from '../../../test/support/repo.ts';
import type { Changes } from '../../engine/ports/git.ts';

async function changesAfter(repo: Repo, change: () => Promise<unknown>): Promise<Changes> {
  const git = await openedGit(repo.path);
  const start = (await git.look())?.tree ?? '';
  await change();
  const changes = await git.history.changesSince(start);
  if (!changes) throw new Error('git cannot tell');
  return changes;
}

const objects = async (repo: Repo) => (await readdir(join(repo.path, '.git/objects'), { recursive: true })).length;

describe('the changes since a tree', () => {
  it('are shown the same way whatever diff settings the operator has', async () => {
    await using repo = await openRepo({ 'a.txt': 'a\n', 'grün.txt': 'g\n' });
    for (const [name, value] of [
      ['color.ui', 'always'],
      ['diff.noprefix', 'true'],
      ['diff.external', 'false'],
      ['diff.mnemonicPrefix', 'true'],
      ['core.pager', 'false'],
      ['diff.context', '0'],
      ['diff.relative', 'true'],
    ])
      repo.git('config', name ?? '', value ?? '');
    const changes = await changesAfter(repo, async () => {
      await repo.write('a.txt', 'b\n');
      await repo.write('grün.txt', 'h\n');
    });
    expect(changes.stat).toBe(' a.txt    | 2 +-\n grün.txt | 2 +-\n 2 files changed, 2 insertions(+), 2 deletions(-)\n');
    expect(changes.patch).toMatch(
      /^diff --git a\/a\.txt b\/a\.txt\nindex \w+\.\.\w+ 100644\n--- a\/a\.txt\n\+\+\+ b\/a\.txt\n@@ -1 \+1 @@\n-a\n\+b\ndiff --git /,
    );
  });

  it('leave out ignored files, write nothing into the repository, and leave the index alone', async () => {
    await using repo = await openRepo({ '.gitignore': '*.log\n' });
    await repo.write('staged.txt', 's\n');
    repo.git('add', '-A');
    let before = 0;
    const changes = await changesAfter(repo, async () => {
      await repo.write('a.log', 'l\n');
      await repo.write('new.txt', 'n\n');
      before = await objects(repo);
    });
    expect(changes.stat).toBe(' new.txt | 1 +\n 1 file changed, 1 insertion(+)\n');
    expect(await objects(repo)).toBe(before);
    expect(repo.git('status', '--porcelain').split('\n')).toEqual(['A  staged.txt', '?? new.txt']);
  });

  it('are the same again if nothing has changed meanwhile', async () => {
    await using repo = await openRepo();
    const git = await openedGit(repo.path);
    const start = (await git.look())?.tree ?? '';
    await repo.write('readme.txt', 'once\n');
    const first = await git.history.changesSince(start);
    await git.tree();
    expect(first?.patch).toContain('+once');
    expect(await git.history.changesSince(start)).toEqual(first);
  });

  it('show moved files as moved, and links, modes and binary files', async () => {
    await using repo = await openRepo({ 'old.txt': 'some text\n'.repeat(20), 'run.sh': 'x\n' });
    const changes = await changesAfter(repo, async () => {
      await rename(join(repo.path, 'old.txt'), join(repo.path, 'new.txt'));
      await repo.write('bin', '\0\0\0');
      await symlink('nowhere', join(repo.path, 'link'));
      await repo.write('quote"\nd', 'q\n');
      repo.git('update-index', '--chmod=+x', 'run.sh');
      repo.git('checkout-index', '-f', 'run.sh');
    });
    expect(changes.stat).toMatch(/ old\.txt => new\.txt \| +0\n/);
    expect(changes.stat).toContain('"quote\\"\\nd"');
    for (const text of ['rename to new.txt', 'Binary files /dev/null and b/bin differ', 'new file mode 120000', 'old mode 100644\nnew mode 100755'])
      expect(changes.patch).toContain(text);
  });

  it('list a hundred files and the total count, with whole lines from the beginning of the patch', async () => {
    await using repo = await openRepo();
    const changes = await changesAfter(repo, async () => {
      for (let i = 0; i < 1_500; i += 1) await repo.write(`many/${i}.txt`, `grün ${i}\n`.repeat(10));
    });
    const lines = changes.stat.trimEnd().split('\n');
    expect(lines).toHaveLength(102);
    expect(lines.slice(-2)).toEqual([' ...', ' 1500 files changed, 15000 insertions(+)']);
    expect(changes.isWhole).toBe(false);
    expect(Buffer.byteLength(changes.patch)).toBeGreaterThan(60_000);
    expect(Buffer.byteLength(changes.patch)).toBeLessThanOrEqual(64 * 1024);
    expect(changes.patch.endsWith('\n')).toBe(true);
    expect(changes.patch).not.toContain('\uFFFD');
  });

  it('include an endless line, and a file that is too large to show', async () => {
    await using repo = await openRepo();
    const changes = await changesAfter(repo, async () => {
      await repo.write('line.txt', 'x'.repeat(3_000_000));
      await repo.write('large.txt', 'y\n');
      await truncate(join(repo.path, 'large.txt'), 64 * 1024 * 1024);
    });
    expect(changes.stat).toMatch(/ large\.txt +\| +Bin 0 -> 67108864 bytes\n/);
    expect(changes.patch).toContain('Binary files /dev/null and b/large.txt differ');
    expect(changes.isWhole).toBe(false);
  });
});
