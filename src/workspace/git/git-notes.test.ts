import { readdir } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { openedGit } from '../../../test/support/opened-git.ts';
import { openRepo } from '../../../test/support/repo.ts';

it("git notes have Ralph's name, do not need the operator's, and run no hook", async () => {
  await using repo = await openRepo();
  await repo.write('.git/hooks/reference-transaction', `#!/bin/sh\ntouch '${repo.beside}/hooked'\n`, 0o755);
  const git = await openedGit(repo.path);
  await git.history.writeNote('HEAD', 'proven\n');
  expect(repo.git('show', '-s', '--format=%an <%ae>', 'refs/notes/ralph')).toBe('ralph <ralph@localhost>');
  expect(repo.git('notes', '--ref=ralph', 'show', 'HEAD')).toBe('proven');
  expect(await readdir(repo.beside)).toEqual([]);
  await expect(git.history.writeNote('--force', 'x')).rejects.toThrow(/no commit/);
});

it('concurrent git notes are all kept, and leave no other ref', async () => {
  await using repo = await openRepo();
  for (let i = 0; i < 4; i += 1) repo.git('commit', '-q', '--allow-empty', '-m', String(i));
  const git = await openedGit(repo.path);
  const names = ['HEAD', 'HEAD~1', 'HEAD~2', 'HEAD~3'];
  await Promise.all(names.map((name) => git.history.writeNote(name, `of ${name}\n`)));
  for (const name of names) expect(await git.history.readNote(name)).toBe(`of ${name}\n`);
  expect(repo.git('for-each-ref', '--format=%(refname)', 'refs/notes')).toBe('refs/notes/ralph');
});
