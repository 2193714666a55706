import { existsSync, lstatSync, readFileSync, readlinkSync } from 'node:fs';
import { mkdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { nameAuthor } from '../support/committing-stage.ts';
import { deepRows } from '../support/deep.ts';
import { completes, openWorktreeStage, startOf, type WorktreeStage } from '../support/worktree-stage.ts';

const committed = (stage: WorktreeStage, branch: string) => stage.repo.git('diff', '--name-only', `main...${branch}`).split('\n');
const excluded = (stage: WorktreeStage) => readFileSync(join(stage.repo.path, '.git', 'info', 'exclude'), 'utf8');

describe.concurrent('untracked files that checks need', () => {
  it('are copied, with their links as links, or linked, and never committed', async () => {
    await using stage = await openWorktreeStage([completes()], {
      files: { '.gitignore': 'node_modules/\n.env\n' },
      worktree: { copy: ['.env', 'keys'], link: ['node_modules'] },
    });
    await stage.repo.write('.env', 'SECRET=1\n', 0o600);
    await stage.repo.write('keys/a [1].pem', 'key\n');
    await symlink('a [1].pem', join(stage.repo.path, 'keys', 'current'));
    await stage.repo.write('node_modules/left-pad/index.js', 'pad\n');
    const run = await stage.loop('--check', 'test -f node_modules/left-pad/index.js && test -f .env');
    const { path, branch } = startOf(run);

    expect(run.code).toBe(0);
    expect(committed(stage, branch)).toEqual(['work.txt']);
    expect(lstatSync(join(path, '.env')).mode & 0o777).toBe(0o600);
    expect(readlinkSync(join(path, 'keys', 'current'))).toBe('a [1].pem');
    expect(readlinkSync(join(path, 'node_modules'))).toBe(join(stage.repo.path, 'node_modules'));
    expect(run.stderr).toContain('warning: keys was not ignored by git; it is now (.git/info/exclude), so that no run commits it\n');
    expect(run.stderr).not.toMatch(/warning: .*(node_modules|[.]env)/);
    expect(excluded(stage)).toMatch(/^\/keys\n(.*\n)*\/node_modules\n/m);
  });

  it('are kept out of commits even if their names contain pattern characters', async () => {
    const odd = 'a*[b]? #!x';
    await using stage = await openWorktreeStage([completes()], { worktree: { copy: [odd] } });
    await stage.repo.write(odd, 'odd\n');
    const run = await stage.loop();

    expect(run.code).toBe(0);
    expect(committed(stage, startOf(run).branch)).toEqual(['work.txt']);
    expect(readFileSync(join(startOf(run).path, odd), 'utf8')).toBe('odd\n');
  });

  it('that are missing are named, and the loop continues without them', async () => {
    await using stage = await openWorktreeStage([completes()], { worktree: { copy: ['.env'], link: ['node_modules'] } });
    const run = await stage.loop();

    expect(run.code).toBe(0);
    expect(run.stderr).toContain('warning: worktree.copy: .env is not there, so it does not come along\n');
    expect(run.stderr).toContain('warning: worktree.link: node_modules is not there, so it does not come along\n');
  });

  it('come from the current folder of the operator', async () => {
    await using stage = await openWorktreeStage([], {
      where: 'app',
      files: {
        'app/check.sh': 'test -f .env && grep -q done work.txt\n',
        'app/.ralph/settings.json': JSON.stringify({ worktree: { copy: ['.env', '../shared'] } }),
      },
    });
    await stage.repo.write('app/.env', 'A=1\n');
    await stage.repo.write('shared/b', 'B\n');
    const run = await stage.loop('--agent', 'echo done > work.txt; echo COMPLETE', '--max-iterations', '1');

    expect(existsSync(join(startOf(run).path, 'app', '.env'))).toBe(true);
    expect(existsSync(join(startOf(run).path, 'shared', 'b'))).toBe(true);
  });
});

describe.concurrent('the setup of a worktree', () => {
  it('runs in it before the first check, and its output is in the run folder', async () => {
    await using stage = await openWorktreeStage([completes()], { worktree: { setup: 'echo "in $(pwd)"; echo made > made.txt; git status --short >&2' } });
    const run = await stage.loop('--check', 'test -f made.txt');
    const { path } = startOf(run);

    expect(run.code).toBe(0);
    expect(readFileSync(join(`${run.result?.run_folder}`, 'setup.log'), 'utf8')).toBe(`in ${path}\n?? made.txt\n`);
  });

  it('can fetch submodules; without that, Ralph says that they are empty', async () => {
    await using stage = await openWorktreeStage([completes()]);
    const library = join(stage.repo.beside, 'library');
    stage.repo.git('init', '-q', '-b', 'main', library);
    nameAuthor(stage.repo, library);
    stage.repo.git('-C', library, 'commit', '-q', '--allow-empty', '-m', 'first');
    stage.repo.git('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', library, 'library');
    stage.repo.git('commit', '-q', '-m', 'with a library');
    const without = await stage.loop();
    await stage.repo.write('.ralph/settings.local.json', JSON.stringify({ worktree: { setup: 'git -c protocol.file.allow=always submodule update --init' } }));
    const fetched = await stage.loop('--check', 'test -e library/.git');

    expect([without.code, fetched.code]).toEqual([0, 0]);
    expect(without.stderr).toContain(
      'warning: submodules are empty in the worktree: library; worktree.setup can fetch them with: git submodule update --init\n',
    );
    expect(stage.after().changed).toEqual([]);
  });
});

describe.concurrent('a worktree that cannot be created', () => {
  const refusals: readonly [string, object, RegExp][] = [
    [
      'its setup fails',
      { setup: 'echo "npm error: no network"; exit 3' },
      /^error: the setup of the worktree failed \(exit 3\): npm error: no network\nhint: All it said is in (\S+setup[.]log);/m,
    ],
    ['its setup takes too long', { setup: 'sleep 600', setupTimeout: '1s' }, /^error: the setup of the worktree failed \(stopped by Ralph: timed out\)\n/m],
    ['its setup destroys it', { setup: 'rm -f .git' }, /^error: the worktree \S+ is none any more after its setup\n/m],
    ['something outside is to be copied', { copy: ['../beside/secret'] }, /^error: worktree[.]copy: \.\.\/beside\/secret is not inside of the repository/m],
    ['a link leads outside', { copy: ['out/secret'] }, /^error: worktree[.]copy: out\/secret is not inside of the repository/m],
    ['all of the repository is to be linked', { link: ['.'] }, /^error: worktree[.]link: [.] is not inside of the repository/m],
    ['git’s own folder is to be copied', { copy: ['.git/config'] }, /^error: worktree[.]copy: [.]git\/config belongs to git\n/m],
    [
      'a link would lie over a tracked file',
      { link: ['check.sh'] },
      /^error: worktree[.]link: check[.]sh is tracked by git, so it is in the worktree already\n/m,
    ],
    ['a folder has tracked files too', { copy: ['mixed'] }, /^error: worktree[.]copy: mixed is tracked by git, so it is in the worktree already\n/m],
    ['git would commit what comes along', { copy: ['wanted.txt'] }, /^error: wanted[.]txt comes along into the worktree, but git does not ignore it/m],
    ['what comes along cannot be copied', { copy: ['pipe'] }, /^error: worktree[.]copy: \S+pipe cannot be copied: /m],
    ['its root lies inside of the repository', { root: 'trees' }, /^error: worktree[.]root lies inside of the repository: /m],
    ['its root is a link into the repository', { root: '../beside/in' }, /^error: worktree[.]root lies inside of the repository: /m],
    ['its root is a file', { root: '../beside/secret' }, /^error: cannot make the folder for worktrees \S+secret: /m],
  ];

  it.each(deepRows('all are refused at the same point, before a worktree is made or right after', refusals, 7))(
    'ends the loop before it begins, and nothing of it is left, when %s',
    async (_when, worktree, message) => {
      await using stage = await openWorktreeStage([completes()], { worktree, files: { '.gitignore': '!wanted.txt\n', 'mixed/tracked.txt': 't\n' } });
      const { repo } = stage;
      await repo.write('../beside/secret', 's');
      await repo.write('wanted.txt', 'w');
      await repo.write('mixed/untracked.txt', 'u');
      await symlink('../beside', join(repo.path, 'out'));
      await mkdir(join(repo.path, 'inside'));
      await symlink('../repo/inside', join(repo.beside, 'in'));
      if (JSON.stringify(worktree).includes('pipe')) stage.repo.git('-c', 'alias.pipe=!mkfifo pipe', 'pipe');
      const run = await stage.loop();

      expect([2, 4]).toContain(run.code);
      expect(run.stderr).toMatch(message);
      const log = message.exec(run.stderr)?.[1];
      if (log) expect(readFileSync(log, 'utf8')).toBe('npm error: no network\n');
      expect(stage.after()).toMatchObject({ calls: 0, commits: 1, processes: [] });
      expect(stage.worktrees()).toEqual([]);
      expect(existsSync(stage.root)).toBe(false);
      expect(repo.git('branch', '--list', 'ralph/*')).toBe('');
      expect(repo.git('worktree', 'list', '--porcelain').match(/^worktree /gm)).toHaveLength(1);
    },
  );
});
