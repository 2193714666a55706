import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { chmod, mkdir, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { bubblewrapIsMissing } from '../../../test/support/bubblewrap.ts';
import { lfsIsMissing } from '../../../test/support/git-lfs.ts';
import { addWorktree, openSandboxStage } from '../../../test/support/os-sandbox-stage.ts';
import { openOwnGitStage } from '../../../test/support/own-git-stage.ts';
import { runCollected } from '../../../test/support/run-collected.ts';
import { canHaveOwnGit } from './make-own-git.ts';
import { openOwnGits } from './own-git-around.ts';

const missing = bubblewrapIsMissing();

describe.skipIf(missing)('an agent with its own git', () => {
  it('has its commits brought over unchanged, and the branch follows', async () => {
    await using stage = await openOwnGitStage();
    const { repo } = stage;
    const { said } = await stage.inside(
      'echo one > one && git add one && git commit -qm "feat: one" && git rm -q readme.txt && git commit -qm "two, without the readme" && git rev-parse HEAD',
    );
    expect(repo.git('rev-parse', 'main')).toBe(said.trim());
    expect(repo.git('log', '--format=%s%n%an', '-2')).toBe('two, without the readme\nt\nfeat: one\nt');
    expect(repo.git('status', '--porcelain')).toBe('');
    expect(repo.git('fsck', '--strict')).toBe('');
    expect(readdirSync(stage.folder)).toEqual([]);
    expect(stage.told).toEqual([]);
  });

  it('that judges can read the history, and its commits are dropped', async () => {
    await using stage = await openOwnGitStage();
    const { repo } = stage;
    const head = repo.git('rev-parse', 'main');
    const { code, said } = await stage.inside('git commit -q --allow-empty -m "review: approved" && git log --format=%s -1', { judges: true });
    expect([code, said]).toEqual([0, 'review: approved\n']);
    expect(repo.git('rev-parse', 'main')).toBe(head);
    expect(repo.git('for-each-ref', '--format=%(refname)', 'refs/ralph')).toBe('');
    expect(readdirSync(stage.folder)).toEqual([]);
    expect(stage.told).toEqual([]);
  });

  it("leaves the operator's staged and unstaged changes as they were", async () => {
    await using stage = await openOwnGitStage();
    const { repo } = stage;
    await repo.write('staged.txt', 'staged');
    repo.git('add', 'staged.txt');
    await repo.write('readme.txt', 'changed\n');
    await stage.inside('echo one > one && git add one && git commit -qm one -- one');
    expect(repo.git('status', '--porcelain')).toBe('M readme.txt\nA  staged.txt');
    await stage.inside('git add -A && git commit -qm all');
    expect(repo.git('status', '--porcelain')).toBe('');
    expect(repo.git('show', 'HEAD:readme.txt')).toBe('changed');
  });

  it('works in a subfolder, in a linked work tree, without a branch and before the first commit', async () => {
    await using stage = await openOwnGitStage();
    const { repo } = stage;
    const lane = await addWorktree(stage);
    await repo.write('deep/er/x', '1');
    const commits = (name: string) => `echo ${name} > ${name} && git add ${name} && git commit -qm ${name} && git status --porcelain -uno`;
    expect(await stage.inside(commits('sub'), { cwd: join(repo.path, 'deep/er') })).toEqual({ code: 0, said: '' });
    expect(await stage.inside(commits('lane'), { cwd: lane })).toEqual({ code: 0, said: '' });
    expect(repo.git('log', '--format=%s', '-1', 'main')).toBe('sub');
    expect(repo.git('log', '--format=%s', '-1', 'lane')).toBe('lane');
    expect(repo.git('-C', lane, 'status', '--porcelain')).toBe('');
    repo.git('checkout', '-q', '--detach');
    await stage.inside(commits('detached'));
    expect(repo.git('log', '--format=%s', '-1')).toBe('detached');
    expect(repo.git('log', '--format=%s', '-1', 'main')).toBe('sub');
    repo.git('checkout', '-q', '--orphan', 'empty');
    await stage.inside('git rm -rqf --cached . && git add readme.txt && git commit -qm first');
    expect(repo.git('log', '--format=%s', 'empty')).toBe('first');
  });

  it('resolves a merge that was begun for it', async () => {
    await using stage = await openOwnGitStage({
      before(git) {
        git('checkout', '-q', '-b', 'theirs');
        git('commit', '-q', '--allow-empty', '-m', 'theirs');
        git('checkout', '-q', 'main');
        git('commit', '-q', '--allow-empty', '-m', 'ours');
        git('merge', '-q', '--no-ff', '--no-commit', 'theirs');
      },
    });
    await stage.inside('git status && git commit -qm merged');
    expect(stage.repo.git('log', '--format=%s %p', '-1').split(' ')).toHaveLength(3);
    expect(existsSync(join(stage.commonDir, 'MERGE_HEAD'))).toBe(false);
  });

  it("has the operator's hooks, and no credential", async () => {
    await using stage = await openOwnGitStage({ before: (git) => git('remote', 'add', 'origin', 'https://me:secret@example.com/x.git') });
    const hooks = join(stage.repo.beside, 'hooks');
    await rename(join(stage.commonDir, 'hooks'), hooks);
    await symlink(hooks, join(stage.commonDir, 'hooks'));
    const hook = join(hooks, 'pre-commit');
    await writeFile(hook, '#!/bin/sh\necho seen > hooked; git add hooked\n');
    await chmod(hook, 0o755);
    const secrets = ['http.extraHeader', 'github.token', 'sendemail.smtpPass', 'url.https://me:secret@example.com/.insteadOf', 'credential.helper'];
    for (const key of secrets) stage.repo.git('config', key, 'secret');
    stage.repo.git('config', 'lfs.url', 'https://me:secret@example.com/lfs');
    stage.repo.git('config', 'diff.algorithm', 'patience');
    await (await stage.open()).enclose({ who: 'gate', file: 'true', args: [], cwd: stage.repo.path, env: {} }).then(({ leave }) => leave());
    const { said } = await stage.inside('git config --list; git commit -q --allow-empty -m hooked; git push origin main');
    for (const kept of ['remote.origin.url=https://example.com/x.git', 'lfs.url=https://example.com/lfs', 'diff.algorithm=patience'])
      expect(said).toContain(kept);
    expect(said).not.toContain('secret');
    expect(said).toContain('a-push-is-the-work-of-the-operator');
    expect(stage.repo.git('show', 'HEAD:hooked')).toBe('seen');
  });

  it.skipIf(lfsIsMissing())('has its git-lfs objects brought over', async () => {
    await using stage = await openOwnGitStage();
    const { repo, commonDir } = stage;
    repo.git('lfs', 'install', '--local', '--skip-repo');
    await rm(join(commonDir, 'lfs'), { recursive: true, force: true });
    const inside = stage.behind(await stage.open());
    await inside('echo "*.bin filter=lfs diff=lfs merge=lfs -text" > .gitattributes && echo large > x.bin && git add -A && git commit -qm large');
    const stored = () => {
      const [, id = ''] = /oid sha256:(\w+)/.exec(repo.git('show', 'HEAD:x.bin')) ?? [];
      return readFileSync(join(commonDir, 'lfs/objects', id.slice(0, 2), id.slice(2, 4), id), 'utf8');
    };
    expect([stored(), repo.git('status', '--porcelain')]).toEqual(['large\n', '']);
    expect(await canHaveOwnGit(commonDir)).toBe(true);
    const { said } = await inside('rm x.bin && git checkout -q x.bin && cat x.bin && echo larger > x.bin && git commit -qam larger');
    expect(said).toContain('large\n');
    expect([stored(), repo.git('status', '--porcelain')]).toEqual(['larger\n', '']);
    await inside(': > .git/borrowed/lfs/planted; rm -rf .git/lfs .git/borrowed/lfs/objects');
    expect([stored(), existsSync(join(commonDir, 'lfs/planted'))]).toEqual(['larger\n', false]);
  });

  it.each([
    ['sha256', ['init', '-q', '-b', 'main', '--object-format=sha256']],
    ['a shallow clone', ['clone', '-q', '--depth=1', 'file://$ORIGIN']],
    ['a clone that borrows its objects', ['clone', '-q', '--shared', '$ORIGIN']],
    ['a sparse clone', ['clone', '-q', '--sparse', '$ORIGIN']],
    ['a partial clone', ['clone', '-q', '--filter=blob:none', 'file://$ORIGIN']],
  ])('works in another kind of repository: %s', async (_kind, words) => {
    await using stage = await openSandboxStage();
    const { repo } = stage;
    repo.git('commit', '-q', '--allow-empty', '-m', 'second');
    const path = join(repo.beside, 'other');
    execFileSync('git', [...words.map((word) => word.replace('$ORIGIN', repo.path)), path], { env: { ...process.env, GIT_CONFIG_NOSYSTEM: '1' } });
    const git = (...args: readonly string[]) => repo.git('-C', path, ...args);
    git('commit', '-q', '--allow-empty', '-m', 'start');
    await using other = await openSandboxStage(() => ({ commonDir: join(path, '.git') }));
    const folder = join(path, '.git/ralph/gits');
    await mkdir(folder, { recursive: true });
    const env = { PATH: process.env['PATH'] ?? '', HOME: stage.home, GIT_CONFIG_NOSYSTEM: '1' };
    const told: string[] = [];
    const around = openOwnGits({
      commonDir: join(path, '.git'),
      env,
      folder,
      keptBelow: 'refs/ralph/kept/r1',
      onRefused: ({ target }) => void told.push(target),
    });
    const inside = other.behind(await around(other.wall));
    expect(await inside('git log --format=%s -1; echo x > x; git add --sparse x; git commit -qm mine; git status --porcelain', { cwd: path })).toEqual({
      code: 0,
      said: 'start\n',
    });
    expect([git('log', '--format=%s', '-1'), git('status', '--porcelain'), told]).toEqual(['mine', '', []]);
  });
});

describe.skipIf(missing)('Ralph does not bring over', () => {
  it('a rewritten history: it is kept, and the branch stays', async () => {
    await using stage = await openOwnGitStage();
    const before = stage.repo.git('rev-parse', 'main');
    const { said } = await stage.inside('git commit -q --amend -m other && git rev-parse HEAD');
    expect(stage.repo.git('rev-parse', 'main')).toBe(before);
    expect(stage.told).toEqual([expect.stringMatching(/^an agent has changed the history .* kept at (refs\/ralph\/kept\/r1\/\w+\/HEAD)$/)]);
    expect(stage.repo.git('rev-parse', stage.told[0]?.split(' ').at(-1) ?? '')).toBe(said.trim());
  });

  it("another version of a file that the operator's git runs, even in one of several commits", async () => {
    await using stage = await openOwnGitStage({ sealed: ['readme.txt', 'gone.sh'] });
    const before = stage.repo.git('rev-parse', 'main');
    await stage.inside(
      'echo one > one; git add one; git commit -qm one; git update-index --cacheinfo 100644,$(echo evil | git hash-object -w --stdin),readme.txt; git commit -qm two',
    );
    expect(stage.repo.git('rev-parse', 'main')).toBe(before);
    expect(stage.told).toEqual([
      expect.stringMatching(/^an agent has committed another readme\.txt, which your git or Ralph obeys, .* kept at refs\/ralph\/kept\/r1\/\w+\/HEAD$/),
    ]);
    await stage.inside('echo three > three; git add three; git commit -qm three');
    expect(stage.repo.git('log', '--format=%s', '-1')).toBe('three');
  });

  it('a flood of refs: some are kept, and the branch follows anyway', async () => {
    await using stage = await openOwnGitStage();
    const tips =
      'for n in $(seq 60); do git update-ref refs/heads/b$n $(git commit-tree -m $n HEAD^{tree}); done; git update-ref refs/heads/twice refs/heads/b1';
    await stage.inside(
      `${tips}; i=$(git rev-parse HEAD); for n in $(seq 5000); do echo "$i refs/heads/p$n"; done >>.git/packed-refs; git commit -q --allow-empty -m grown`,
    );
    expect(stage.repo.git('log', '--format=%s', '-1')).toBe('grown');
    expect(
      stage
        .refs()
        .split('\n')
        .filter((line) => line.includes('refs/ralph/kept/')),
    ).toHaveLength(50);
    expect(stage.told.at(-1)).toContain('an agent left 60 refs behind, of which 50 are kept');
  });

  it('a commit on a branch that somebody has moved meanwhile', async () => {
    await using stage = await openOwnGitStage();
    const { repo } = stage;
    const enclosed = await stage.wall.enclose({ who: 'agent', file: 'true', args: [], cwd: repo.path, env: {} });
    repo.git('commit', '-q', '--allow-empty', '-m', 'of the operator');
    const moved = repo.git('rev-parse', 'HEAD');
    const [own = ''] = readdirSync(stage.folder);
    const git = join(stage.folder, own, 'git');
    const made = execFileSync(
      'git',
      ['--git-dir', git, 'commit-tree', '-m', 'mine', '-p', repo.git('rev-parse', 'HEAD~'), repo.git('rev-parse', 'HEAD^{tree}')],
      {
        env: {
          ...process.env,
          GIT_ALTERNATE_OBJECT_DIRECTORIES: join(stage.commonDir, 'objects'),
          GIT_AUTHOR_NAME: 'a',
          GIT_AUTHOR_EMAIL: 'a@b.c',
          GIT_COMMITTER_NAME: 'a',
          GIT_COMMITTER_EMAIL: 'a@b.c',
        },
        encoding: 'utf8',
      },
    ).trim();
    await writeFile(join(git, 'refs/heads/main'), `${made}\n`);
    await enclosed.leave();
    expect(repo.git('rev-parse', 'main')).toBe(moved);
    expect(stage.told).toEqual([expect.stringContaining('the branch was moved by somebody else meanwhile')]);
    expect(repo.git('rev-parse', stage.told[0]?.split(' ').at(-1) ?? '')).toBe(made);
  });

  it.each([
    [
      'an object that is not what its name says',
      'id=$(git rev-parse HEAD^{tree}); f=$(echo forged | git hash-object -w --stdin); p=.git/objects/$(echo $f | cut -c1-2)/$(echo $f | cut -c3-); chmod u+w $p; printf x > $p; echo forged > forged; git commit -q --allow-empty -m x; git update-ref HEAD $(git commit-tree -p HEAD -m forged $(printf "100644 blob $f\\tforged" | git mktree --missing))',
    ],
    [
      'a tree with a .git in it',
      'b=$(echo x | git hash-object -w --stdin); t=$(printf "040000 tree $(printf "100644 blob $b\\tconfig" | git mktree)\\t.GIT" | git mktree); git update-ref HEAD $(git commit-tree -p HEAD -m x $t)',
    ],
    [
      'a commit whose tree is missing',
      'git update-ref HEAD $(git commit-tree -p HEAD -m x $(printf "100644 blob 1234567890123456789012345678901234567890\\tx" | git mktree --missing))',
    ],
    ['a branch that names nothing', 'echo 1234567890123456789012345678901234567890 > .git/refs/heads/main'],
  ])('broken objects: %s', async (_what, script) => {
    await using stage = await openOwnGitStage();
    const { repo, refs } = stage;
    const before = refs();
    await stage.inside(script);
    expect(refs()).toBe(before);
    expect(repo.git('fsck', '--strict', '--no-dangling')).toBe('');
    expect(stage.told).toEqual([expect.stringContaining("the agent's repository is kept in")]);
  });

  /** Commits in a work tree; the loop dies before it can bring that over. */
  const commitAndDie = async (stage: Awaited<ReturnType<typeof openOwnGitStage>>, cwd: string) => {
    const names = { GIT_AUTHOR_NAME: 'a', GIT_AUTHOR_EMAIL: 'a@b.c', GIT_COMMITTER_NAME: 'a', GIT_COMMITTER_EMAIL: 'a@b.c' };
    const args = ['-c', 'echo late > late && git add late && git commit -qm late'];
    const { leave: _, ...enclosed } = await stage.wall.enclose({
      who: 'agent',
      file: 'sh',
      args,
      cwd,
      env: { PATH: process.env['PATH'] ?? '', HOME: stage.home, ...names },
    });
    expect((await runCollected(stage.repo.beside, enclosed)).ending).toEqual({ kind: 'exited', code: 0 });
  };

  it('a commit before the next start, if the loop died, even in the middle of bringing it over', async () => {
    await using stage = await openOwnGitStage();
    const { repo } = stage;
    await commitAndDie(stage, repo.path);
    expect(repo.git('log', '--format=%s', '-1')).not.toBe('late');
    const half = join(stage.folder, readdirSync(stage.folder)[0] ?? '', 'objects/pack');
    await mkdir(half, { recursive: true });
    await writeFile(join(half, 'pack-agent.pack'), 'half of it');
    await stage.open();
    expect([repo.git('log', '--format=%s', '-1'), repo.git('status', '--porcelain'), readdirSync(stage.folder)]).toEqual(['late', '', []]);
  });

  it('a commit whose work tree is gone, and the run continues', async () => {
    await using stage = await openOwnGitStage();
    const lane = await addWorktree(stage);
    await commitAndDie(stage, lane);
    await rm(lane, { recursive: true });
    await stage.open();
    expect(stage.told).toEqual([expect.stringContaining("the agent's repository is kept in")]);
  });
});
