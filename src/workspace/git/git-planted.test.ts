import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { gitEnv, openedGit } from '../../../test/support/opened-git.ts';
import { markerIn } from '../../../test/support/planted-marker.ts';
import { openRepo, type Repo } from '../../../test/support/repo.ts';
import { openStoryStage } from '../../../test/support/story-ground-stage.ts';
import { landed, openBranchStage, opened, settled } from '../../../test/support/task-branches-stage.ts';
import { openPins } from '../pins/pinned-config.ts';
import { openGitCommand } from './git-command.ts';

const FILES = { 'tests/a.txt': 'a\n', 'src/x.txt': 'x\n' };
const KEPT = 'refs/ralph/kept/r/1.1';
const REMOVE = { force: true, branch: 'delete' } as const;

/** Every setting by which git is told to run something, and all other ways to get it there. */
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
    ['filter.evil.clean', script],
    ['filter.evil.smudge', script],
    ['filter.evil2.process', script],
    ['diff.external', script],
    ['diff.evil.command', script],
    ['diff.evil.textconv', script],
    ['merge.evil.driver', `${script} %A`],
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
  await writeFile(join(repo.beside, 'more'), `[filter "more"]\n\tclean = ${script}\n\tsmudge = ${script}\n`);
  await writeFile(join(repo.beside, 'attributes'), '* filter=evil diff=evil merge=evil\n');
  await writeFile(join(top, '.gitattributes'), 'src/* filter=evil diff=evil merge=evil\ntests/* filter=more diff=evil merge=evil\n*.txt2 filter=evil2\n');
  await mkdir(join(gitFolder, 'info'), { recursive: true });
  await writeFile(join(gitFolder, 'info', 'attributes'), '* filter=evil\n');
  for (const hooks of [join(gitFolder, 'hooks'), join(repo.beside, 'hooks')]) {
    await mkdir(hooks, { recursive: true });
    const names = ['pre-commit', 'commit-msg', 'prepare-commit-msg', 'post-commit', 'post-checkout', 'post-merge', 'pre-merge-commit', 'post-index-change'];
    for (const name of [...names, 'reference-transaction', 'post-rewrite', 'pre-auto-gc', 'fsmonitor-watchman', 'pre-push'])
      await writeFile(join(hooks, name), `#!/bin/sh\n${script} hook ${name} < /dev/null\n`, { mode: 0o755 });
  }
  for (const [key, value] of settings) repo.git('-c', 'core.hooksPath=/dev/null', 'config', '--file', join(gitFolder, 'config'), key, value);
}

async function pinsOf(repo: Repo) {
  const commonDir = join(repo.path, '.git');
  const place = { commonDir, gitDir: commonDir, topLevel: repo.path, cwd: repo.path, env: gitEnv, runFolder: join(commonDir, 'ralph', 'runs', 'r1') };
  return await openPins({ ...place, agentsReach: 'everything' });
}

describe('the loop’s own git runs nothing that was planted', () => {
  it('although it would: the same commands without pins run it', async () => {
    await using repo = await openRepo(FILES);
    const git = await openedGit(repo.path);
    const { script, ran } = await markerIn(repo);
    await plant({ repo, gitFolder: join(repo.path, '.git'), script, top: repo.path });
    await repo.write('src/x.txt', 'y\n');
    await git.tree();
    expect(await ran()).toContain('evil.sh');
  });

  it('when it looks, compares, puts back, checks out and makes worktrees', async () => {
    await using repo = await openRepo(FILES);
    const git = await openedGit(repo.path);
    const start = (await git.look())?.tree ?? '';
    git.pinnedBy(await pinsOf(repo));
    const { script, ran } = await markerIn(repo);
    const between: readonly (() => Promise<unknown>)[] = [
      () => git.tree(),
      () => git.snapshot(),
      () => git.look(),
      () => git.obstacle(),
      () => git.history.changesSince(start),
      () => git.history.putBack(start, ['tests'], KEPT),
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

  it('when it works for a crew', async () => {
    await using stage = await openBranchStage({ 'src/x.txt': 'x\n', 'plan.yaml': 'a: pending\n' });
    const { repo } = stage;
    const pins = await pinsOf(repo);
    const { script, ran } = await markerIn(repo);
    await using branches = stage.again({ git: openGitCommand(repo.path, gitEnv, pins.mendSettings) });
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

  it('when it works on stories, but for the project’s own commit hooks', async () => {
    await using stage = await openStoryStage();
    const { repo } = stage;
    const pins = await pinsOf(repo);
    const { script, ran } = await markerIn(repo);
    await using ground = stage.again({ git: openGitCommand(repo.path, gitEnv, pins.mendSettings) });
    const evil = async () => await plant({ repo, gitFolder: join(repo.path, '.git'), script, top: repo.path });
    await evil();
    await ground.look();
    await repo.write('src/a.ts', 'worked\n');
    await repo.write('ralph/prd.md', 'another\n');
    await evil();
    await pins.mend();
    const done = await ground.settle(stage.wish);
    expect(done.undone).toEqual(['ralph/prd.md']);
    await evil();
    await ground.recordPlan('{"stories":2}\n', 'The list');
    expect(await ran()).toBe('');
  });
});

describe('what the operator set up holds', () => {
  it('such as a filter of their own settings', async () => {
    await using repo = await openRepo({ '.gitattributes': '*.txt filter=up\n', 'a.txt': 'a\n' });
    const global = join(repo.beside, 'global');
    await writeFile(global, '[filter "up"]\n\tclean = tr a-z A-Z\n');
    const pins = await pinsOf(repo);
    const git = openGitCommand(repo.path, { ...gitEnv, GIT_CONFIG_GLOBAL: global }, pins.mendSettings);
    await repo.write('a.txt', 'b\n');
    await git(['add', '--all'], {});
    expect(repo.git('show', ':a.txt')).toBe('B');
  });

  it.each([
    ['a filter', (repo: Repo) => repo.write('.git/info/attributes', '* filter=hide\n').then(() => repo.git('config', 'filter.hide.clean', 'git show :%f'))],
    ['a mode nobody looks at', async (repo: Repo) => void repo.git('config', 'core.fileMode', 'false')],
  ])('and %s set by an agent hides no edit of a protected file', async (_name, cheat) => {
    await using repo = await openRepo(FILES);
    const git = await openedGit(repo.path);
    const start = (await git.look())?.tree ?? '';
    git.pinnedBy(await pinsOf(repo));
    await cheat(repo);
    await repo.write('tests/a.txt', 'z\n');
    await chmod(join(repo.path, 'tests/a.txt'), 0o755);
    expect(await git.history.putBack(start, ['tests'], KEPT)).toEqual(['tests/a.txt']);
    expect(await readFile(join(repo.path, 'tests/a.txt'), 'utf8')).toBe('a\n');
  });
});
