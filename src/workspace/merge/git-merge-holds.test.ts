import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { expectKind, filesOf, never, openBranchStage, opened, settled } from '../../../test/support/task-branches-stage.ts';

describe('Merging.holds', () => {
  it('counts only what the merged tree contains, not files beside it', async () => {
    await using stage = await openBranchStage({
      '.gitignore': 'built/\n*.log\n',
      'docs/deep/guide.md': 'guide\n',
      'hidden/.keep': '',
      'link-target.txt': 'x\n',
    });
    const task = await opened(stage.branches, 'ralph/a.1');
    await stage.put(task.path, { 'ä [x]*.txt': 'odd\n', 'hidden/.cache/file': 'x\n' });
    const { head } = await settled(stage.branches, task);
    const merging = expectKind(await stage.branches.merge({ head, pathspecs: [] }, never), 'merging');
    const { path } = await filesOf(merging);
    await mkdir(join(path, 'built'));
    for (const name of ['built/app.js', 'a.log', 'ä x.txt']) await writeFile(join(path, name), 'x');
    const asked = ['docs', 'docs/deep', 'docs/deep/guide.md', 'doc', 'built', 'built/app.js', 'a.log', 'ä [x]*.txt', 'ä x.txt', 'hidden', 'hidden/.keep', ''];
    expect([...(await merging.holds(asked))]).toEqual(['docs', 'docs/deep', 'docs/deep/guide.md', 'ä [x]*.txt', 'hidden/.keep', '']);
    expect([...(await merging.holds([]))]).toEqual([]);
  });
});
