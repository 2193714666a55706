import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { gitEnv, openedGit } from '../../../test/support/opened-git.ts';
import { markerIn } from '../../../test/support/planted-marker.ts';
import { openRepo, type Repo } from '../../../test/support/repo.ts';
import { openStoryStage } from '../../../test/support/story-ground-stage.ts';
import { landed, openBranchStage, opened, settled } from '../../../test/support/task-branches-stage.ts';
import { openGitCommand } from './git-command.ts';

const FILES = { 'tests/a.txt': 'a\n', 'src/x.txt': 'x\n' };
const KEPT = 'refs/ralph/kept/r/1.1';
const REMOVE = { force: true, branch: 'delete' } as const;

/** Every setting that makes git run something, except filters and merge drivers, which the project needs. */
async function plant({ repo, gitFolder, script, top }: { repo: Repo; gitFolder: string; script: string; top: string }): Promise<void> {
  const settings: readonly (readonly [string, string])[] = [
    ['core.fsmonitor', script],
    ['core.hooksPath', join(repo.beside, 'hooks')],
    ['core.pager', script],
    ['core.editor', script],
    ['core.sshCommand', script],
    ['core.askPass', script],
    ['core.attributesFile', join(repo.beside, 'attributes')],
    ['core.alternateRefsCommand', script],
    ['sequence.editor', script],
    ['pager.diff', script],
    ['diff.external', script],
    ['diff.evil.command', script],
    ['diff.evil.textconv', script],
    ['merge.verifySignatures', 'true'],
    ['commit.gpgSign', 'true'],
    ['log.showSignature', 'true'],
    ['gpg.program', script],
    ['credential.helper', script],
    ['alias.status', `!${script}`],
    ['submodule.x.update', `!${script}`],
    ['uploadpack.packObjectsHook', script],
    ['trailer.x.command', script],
    ['remote.origin.url', `ext::${script}`],
    ['remote.origin.promisor', 'true'],
    ['include.path', join(repo.beside, 'more')],
  ];
  await writeFile(join(repo.beside, 'more'), `[diff "more"]\n\tcommand = ${script}\n\ttextconv = ${script}\n`);
  for (const path of [join(repo.beside, 'attributes'), join(top, '.gitattributes')]) await writeFile(path, 'src/* diff=evil\ntests/* diff=more\n');
  for (const hooks of [join(gitFolder, 'hooks'), join(repo.beside, 'hooks')]) {
    await mkdir(hooks, { recursive: true });
    const names = ['pre-commit', 'commit-msg', 'prepare-commit-msg', 'post-commit', 'post-checkout', 'post-merge', 'pre-merge-commit', 'post-index-change'];
    for (const name of [...names, 'reference-transaction', 'post-rewrite', 'pre-auto-gc', 'fsmonitor-watchman', 'pre-push'])
      await writeFile(join(hooks, name), `#!/bin/sh\n${script} hook ${name} < /dev/null\n`, { mode: 0o755 });
  }
  for (const [key, value] of settings) repo.git('-c', 'core.hooksPath=/dev/null', 'config', '--file', join(gitFolder, 'config'), key, value);
}

describe("a git of the host runs no hook, file monitor, pager or other program from the repository's settings", () => {
  it('although an ordinary git would', async () => {
    await using repo = await openRepo(FILES);
    const { script, ran } = await markerIn(repo);
    await plant({ repo, gitFolder: join(repo.path, '.git'), script, top: repo.path });
    repo.git('status');
    expect(await ran()).toContain('evil.sh');
  });

  it('when it looks, compares, reverts, checks out and makes worktrees', async () => {
    await using repo = await openRepo(FILES);
    const git = await openedGit(repo.path);
    const start = (await git.look())?.tree ?? '';
    const { script, ran } = await markerIn(repo);
    const between: readonly (() => Promise<unknown>)[] = [
      () => git.tree(),
      () => git.snapshot(),
      () => git.look(),
      () => git.obstacle(),
      () => git.history.changesSince(start),
      () => git.history.revert(start, ['tests'], KEPT),
      async () => await (await git.history.checkOut(start))[Symbol.asyncDispose](),
      () => git.worktrees.add({ path: join(repo.beside, 'tree'), branch: 'tree' }),
      () => git.worktrees.list(),
      () => git.worktrees.remove(join(repo.beside, 'tree'), REMOVE),
    ];
    for (const [at, ask] of between.entries()) {
      await plant({ repo, gitFolder: join(repo.path, '.git'), script, top: repo.path });
      await repo.write('tests/a.txt', `${at}\n`);
      await repo.write('src/x.txt', `${at}\n`);
      await ask();
      expect([at, await ran()]).toEqual([at, '']);
    }
  });

  it('when it works on the tasks of a plan', async () => {
    await using stage = await openBranchStage({ 'src/x.txt': 'x\n', 'plan.yaml': 'a: pending\n' });
    const { repo } = stage;
    const { script, ran } = await markerIn(repo);
    await using branches = stage.again({ git: openGitCommand(repo.path, gitEnv) });
    const evil = async (top = repo.path) => await plant({ repo, gitFolder: join(repo.path, '.git'), script, top });
    await evil(repo.beside);
    const task = await opened(branches, 'ralph/a.1');
    await stage.put(task.path, { 'src/x.txt': 'worked\n' });
    await evil(task.path);
    const { head } = await settled(branches, task);
    await evil(repo.beside);
    await landed(branches, head, 'a: done\n');
    await evil(repo.beside);
    expect(await branches.follow()).toBeNull();
    await evil(repo.beside);
    expect(await branches.bringBase(task.path)).toMatchObject({ kind: 'brought' });
    await stage.put(task.path, { 'src/x.txt': 'left\n' });
    await evil(task.path);
    await branches.close({ path: task.path, branch: 'ralph/a.1', isMerged: true, keepAs: KEPT });
    await evil(repo.beside);
    expect(await branches.merged('a', 1)).not.toBeNull();
    expect(await ran()).toBe('');
  });

  it('when it looks at stories and records their plan', async () => {
    await using stage = await openStoryStage();
    const { repo } = stage;
    const { script, ran } = await markerIn(repo);
    await using ground = stage.again({ git: openGitCommand(repo.path, gitEnv) });
    const evil = async () => await plant({ repo, gitFolder: join(repo.path, '.git'), script, top: repo.path });
    await evil();
    await ground.look();
    await evil();
    await ground.recordPlan('{"stories":2}\n', 'The list');
    expect(await ran()).toBe('');
  });
});

describe("a filter of the operator's own settings", () => {
  it('runs in a git of the host', async () => {
    await using repo = await openRepo({ '.gitattributes': '*.txt filter=up\n', 'a.txt': 'a\n' });
    const global = join(repo.beside, 'global');
    await writeFile(global, '[filter "up"]\n\tclean = tr a-z A-Z\n');
    const git = openGitCommand(repo.path, { ...gitEnv, GIT_CONFIG_GLOBAL: global });
    await repo.write('a.txt', 'b\n');
    await git(['add', '--all'], {});
    expect(repo.git('show', ':a.txt')).toBe('B');
  });
});
