import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openRepo } from '../../../test/support/repo.ts';
import { treeInIndex } from './index-tree.ts';

const LONG = `${'deep/'.repeat(850)}a`;

it('the tree of an index is read from the file if it is noted there, and only if nothing was changed since', async () => {
  await using repo = await openRepo({ a: 'a\n', 'ab/c': 'c\n', 'ab/cdefgh': 'c\n', 'b/ü': 'd\n' });
  const path = join(repo.path, '.git/index');
  const noted = () => treeInIndex(path, 20);
  const tree = repo.git('rev-parse', 'HEAD^{tree}');
  expect(await noted()).toBe(tree);
  await repo.write('ab/c', 'changed\n');
  repo.git('add', '-A');
  expect(await noted()).toBeNull();
  expect(repo.git('write-tree')).toBe(await noted());
  repo.git('update-index', '--add', '--cacheinfo', `100644,${repo.git('rev-parse', 'HEAD:a')},${LONG}`);
  repo.git('write-tree');
  expect(await noted()).toBe(repo.git('write-tree'));
  repo.git('add', '-N', '-f', '--', 'a');
  const whole = await readFile(path);
  for (const length of [0, 5, 12, 40, whole.length >> 1, whole.length - 30]) {
    await writeFile(path, whole.subarray(0, length));
    expect(await noted()).toBeNull();
  }
});

it.each([
  ['of another version', ['update-index', '--index-version', '4']],
  ['in two files', ['update-index', '--split-index']],
  ['with a file that is only meant to be added', ['add', '-N', 'new']],
])('an index %s says nothing', async (_what, words) => {
  await using repo = await openRepo({ a: 'a\n' });
  await repo.write('new', 'new\n');
  repo.git(...words);
  expect(await treeInIndex(join(repo.path, '.git/index'), 20)).toBeNull();
});
