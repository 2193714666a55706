import { expect, it } from 'vitest';
import { gitEnv } from '../../test/support/opened-git.ts';
import { openRepo } from '../../test/support/repo.ts';
import { dropEnds } from './run-ends.ts';

it('the refs of a deleted run go, those of other runs and of a fleet stay', async () => {
  await using repo = await openRepo();
  const commitOf = (run: string) => repo.git('commit-tree', 'HEAD^{tree}', '-m', `Merge task a\n\nRalph-Run: ${run}/1\n`);
  const refs = {
    'refs/ralph/merged/a.1': commitOf('gone'),
    'refs/ralph/merged/a.2': commitOf('gone-too'),
    'refs/ralph/merged/a.3': commitOf('other'),
    'refs/ralph/merged/fenced.1': repo.git('hash-object', '-w', '/dev/null'),
    'refs/ralph/runs/gone/start': repo.git('rev-parse', 'HEAD'),
    'refs/ralph/runs/other/start': repo.git('rev-parse', 'HEAD'),
    'refs/ralph/kept/gone/git/x': repo.git('rev-parse', 'HEAD'),
    'refs/ralph/kept/other/git/x': repo.git('rev-parse', 'HEAD'),
  };
  for (const [ref, commit] of Object.entries(refs)) repo.git('update-ref', ref, commit);
  await dropEnds(repo.path, gitEnv, ['gone', 'gone-too']);
  const left = ['refs/ralph/kept/other/git/x', 'refs/ralph/merged/a.3', 'refs/ralph/merged/fenced.1', 'refs/ralph/runs/other/start'];
  expect(repo.git('for-each-ref', '--format=%(refname)', 'refs/ralph').split('\n')).toEqual(left);
});
