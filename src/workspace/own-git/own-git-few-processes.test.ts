import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { expect, it } from 'vitest';
import { bubblewrapIsMissing } from '../../../test/support/bubblewrap.ts';
import { openOwnGitStage } from '../../../test/support/own-git-stage.ts';

const WORDS = 'cat-file|config|diff-tree|for-each-ref|index-pack|log|ls-tree|merge-base|read-tree|rev-list|rev-parse|update-ref';

/** A PATH on which every git appends its command to a file, which no sandbox can write. */
function countedGit(beside: string): string {
  mkdirSync(join(beside, 'bin'));
  const script = `#!/bin/sh\nfor word; do case $word in ${WORDS}) echo $word >>'${join(beside, 'asked')}'; break;; esac; done 2>/dev/null\nPATH='${process.env['PATH']}' exec git "$@"\n`;
  writeFileSync(join(beside, 'bin/git'), script, { mode: 0o755 });
  return `${join(beside, 'bin')}${delimiter}${process.env['PATH']}`;
}

it.skipIf(bubblewrapIsMissing())('a process with a git of its own costs no git on the host if it commits nothing, and six if it commits', async () => {
  await using stage = await openOwnGitStage({ path: countedGit });
  const log = join(stage.repo.beside, 'asked');
  const asked = () => {
    const words = readFileSync(log, 'utf8').trim().split('\n').filter(Boolean);
    writeFileSync(log, '');
    return words;
  };
  // The settings are read once.
  await stage.inside('true');
  expect(asked()).toEqual(['config']);
  for (const _time of ['first', 'second']) {
    await stage.inside('true');
    expect(asked()).toEqual([]);
    await stage.inside('echo more >> a; git add -A; git commit -qm more');
    expect(asked()).toEqual(['index-pack', 'rev-list', 'merge-base', 'log', 'update-ref', 'read-tree']);
  }
  rmSync(log);
  expect(stage.repo.git('log', '--format=%s')).toBe('more\nmore\nstart');
});
