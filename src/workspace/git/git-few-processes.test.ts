import { chmod, mkdir, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { openCommitter } from '../../../test/support/committer.ts';
import { deepIt } from '../../../test/support/deep.ts';
import { gitEnv, openedGit } from '../../../test/support/opened-git.ts';
import { manyRuns } from '../../../test/support/patience.ts';
import { never } from '../../../test/support/process-request.ts';
import { openRepo, type Repo } from '../../../test/support/repo.ts';

/** A PATH on which every git appends the name of its command to a file. */
async function withCountedGit({ beside }: Repo): Promise<{ PATH: string; asked: () => Promise<readonly string[]> }> {
  const [bin, log] = [join(beside, 'bin'), join(beside, 'asked')];
  await mkdir(bin);
  const script = `#!/bin/sh\nfor word; do case $word in add|write-tree|read-tree|commit|rev-list|rev-parse|diff|ls-files|var) echo $word >>'${log}'; break;; esac; done\nPATH='${gitEnv.PATH}' exec git "$@"\n`;
  await writeFile(join(bin, 'git'), script, { mode: 0o755 });
  const asked = async () => {
    const words = (await readFile(log, 'utf8')).trim().split('\n');
    await writeFile(log, '');
    return words;
  };
  return { PATH: `${bin}${delimiter}${gitEnv.PATH}`, asked };
}

describe('an iteration that commits', () => {
  it('runs eight git commands after the first time, three more the first time, and one to see that nothing has changed since', async () => {
    await using repo = await openRepo({ 'a.txt': 'a\n' });
    const { PATH, asked } = await withCountedGit(repo);
    const committer = await openCommitter(repo.path, { env: { PATH } });
    const iteration = async (text: string) => {
      await repo.write('a.txt', text);
      const request = await committer.wish();
      expect([await committer.git.tree(), await committer.git.tree()]).toEqual([request.tree, request.tree]);
      expect(await committer.git.commit(request, never)).toMatchObject({ kind: 'made', tree: request.tree });
      return await asked();
    };
    await committer.git.tree();
    await asked();
    const eight = ['add', 'write-tree', 'add', 'add', 'add', 'read-tree', 'commit', 'rev-list'];
    expect((await iteration('one\n')).toSorted()).toEqual([...eight, 'diff', 'var', 'var'].toSorted());
    expect(await iteration('two\n')).toEqual(eight);
    expect(await iteration('three\n')).toEqual(eight);
    // The next iteration looks again.
    await committer.git.tree();
    expect(await asked()).toEqual(['add']);
  });

  it('reports conflicts without an operation under way, and leaves the index as it was', async () => {
    await using repo = await openRepo({ 'a.txt': 'a\n' });
    for (const text of ['stashed\n', 'other\n']) {
      await repo.write('a.txt', text);
      repo.git(...(text === 'stashed\n' ? ['stash', '-q'] : ['commit', '-qam', 'other']));
    }
    expect(() => repo.git('stash', 'pop')).toThrow();
    const before = repo.git('ls-files', '--stage');
    const committer = await openCommitter(repo.path);
    expect(await committer.commit()).toEqual({ kind: 'failed', detail: 'a.txt has conflicts: resolve them and `git add` it' });
    expect(repo.git('ls-files', '--stage')).toBe(before);
  });
});

/** What people and agents do to files and to the index. Sizes stay the same, and everything happens within one tick of the disk's clock. */
const DOINGS: Readonly<Record<string, (repo: Repo, text: string) => Promise<unknown>>> = {
  write: (repo, text) => repo.write('a.txt', `${text}\n`),
  'write elsewhere': (repo, text) => repo.write(`sub/${text}.txt`, `${text}\n`),
  'run bit': (repo, text) => chmod(join(repo.path, 'b.txt'), text < 'm' ? 0o755 : 0o644),
  remove: (repo) => rm(join(repo.path, 'sub'), { recursive: true, force: true }),
  move: (repo) => rename(join(repo.path, 'a.txt'), join(repo.path, 'b.txt')),
  link: async (repo, text) => {
    await rm(join(repo.path, 'b.txt'), { recursive: true, force: true });
    await symlink(text, join(repo.path, 'b.txt'));
  },
  'file to folder': async (repo, text) => {
    await rm(join(repo.path, 'b.txt'), { recursive: true, force: true });
    await repo.write(`b.txt/${text}`, 'x\n');
  },
  ignore: (repo, text) => repo.write('.gitignore', `${text}.txt\n`),
  stage: async (repo) => repo.git('add', '-A'),
  unstage: async (repo) => repo.git('reset', '-q'),
  'force ours': async (repo, text) => {
    await repo.write('.ralph/x.log', text);
    repo.git('add', '-f', '.ralph/x.log');
  },
  'write ours': (repo, text) => repo.write('.ralph/x.log', text),
  commit: async (repo) => repo.git('commit', '-q', '--allow-empty', '-am', 'by a person'),
};

describe('a working copy that was named before', () => {
  deepIt('hundreds of random changes take a quarter of a minute')(
    'has the same name as in a first look, whatever happened meanwhile',
    async () => {
      const steps = fc.array(
        fc.tuple(fc.constantFrom(...Object.keys(DOINGS)), fc.constantFrom('a', 'b', 'x', 'y'), fc.constantFrom('tree', 'look', 'snapshot', 'nobody')),
        { minLength: 4, maxLength: 12 },
      );
      const property = fc.asyncProperty(steps, async (doings) => {
        await using repo = await openRepo({ 'a.txt': 'a\n', 'b.txt': 'b\n' });
        await using git = await openedGit(repo.path);
        const names = { tree: () => git.tree(), look: async () => (await git.look())?.tree, snapshot: async () => (await git.snapshot())?.tree };
        for (const [doing, text, asked] of doings) {
          // A file that is gone cannot be changed; only the result is compared.
          await DOINGS[doing]?.(repo, text).catch(() => undefined);
          if (asked === 'nobody') continue;
          await using stranger = await openedGit(repo.path);
          expect(await names[asked as keyof typeof names]()).toBe(await stranger.tree());
        }
      });
      await fc.assert(property, manyRuns(12));
    },
    240_000,
  );
});
