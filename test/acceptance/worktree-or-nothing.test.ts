import { readFileSync } from 'node:fs';
import { chmod } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { bubblewrapIsMissing } from '../support/bubblewrap.ts';
import { openGitPlace, openPlace, type Place } from '../support/place.ts';
import { openSmallDisk } from '../support/small-disk.ts';
import { ralphWithoutPowers } from '../support/without-powers.ts';

const LOOP = ['loop', 'Do it.', '--agent', 'echo COMPLETE', '--check', 'true', '--worktree'];
const AUTHOR = { GIT_AUTHOR_NAME: 't', GIT_AUTHOR_EMAIL: 't@example.com', GIT_COMMITTER_NAME: 't', GIT_COMMITTER_EMAIL: 't@example.com' };
const inRoot = (place: Place) => place.everything().filter((path) => path.startsWith('place.ralph'));

/** Ralph never falls back to the operator's files. */
describe.concurrent('a loop with --worktree does not start', () => {
  it('without a repository', async () => {
    await using place = await openPlace();
    const run = await place.ralph(LOOP);

    expect(run).toMatchObject({ code: 4, stdout: '' });
    expect(run.stderr).toBe(
      `error: a worktree needs a git repository, and ${place.path} is in none\nhint: Run \`git init\` and make a first commit, or leave --worktree out.\n`,
    );
    expect(place.everything()).toEqual(['beside', 'beside/agent.sh', 'place']);
  });

  it('before the first commit', async () => {
    await using place = await openPlace();
    place.git('init', '-q');
    const run = await place.ralph(LOOP);

    expect(run.code).toBe(4);
    expect(run.stderr).toBe('error: this repository has no commit yet, and a worktree starts from one\nhint: Make a first commit.\n');
    expect(inRoot(place)).toEqual([]);
  });

  it('without an author for its commits', async () => {
    await using place = await openGitPlace();
    const run = await place.ralph(LOOP);

    expect(run.code).toBe(4);
    expect(run.stderr).toContain('error: nothing can be committed here: ');
    expect(inRoot(place)).toEqual([]);
    expect(place.git('branch', '--list', 'ralph/*')).toBe('');
  });
});

describe.concurrent('a loop that is started from a git hook', () => {
  it('uses git with its own worktree, and so do its setup, its agent and its checks', async () => {
    await using place = await openGitPlace();
    await place.write('.ralph/settings.local.json', JSON.stringify({ worktree: { setup: 'git rev-parse --show-toplevel > setup.txt' } }));
    const agent = `sh -c 'git rev-parse --show-toplevel > agent.txt; echo COMPLETE'`;
    const check = 'git rev-parse --show-toplevel > check.txt';
    const env = { ...AUTHOR, GIT_DIR: join(place.path, '.git'), GIT_WORK_TREE: place.path, GIT_INDEX_FILE: join(place.path, '.git', 'index') };
    const run = await place.ralph(['loop', 'Do it.', '--agent', agent, '--check', check, '--worktree', '--json'], { env });
    const path = place.git('worktree', 'list', '--porcelain').match(/^worktree (.*[.]ralph\/.*)$/m)?.[1] ?? '';

    expect(run.code).toBe(0);
    for (const file of ['setup.txt', 'agent.txt', 'check.txt']) expect(readFileSync(join(path, file), 'utf8')).toBe(`${path}\n`);
    expect(place.git('status', '--porcelain')).toBe('');
  });
});

describe.skipIf(bubblewrapIsMissing())('a disk without space or permission', () => {
  it('stops the loop before its start if nothing can be created beside the repository', async () => {
    await using place = await openGitPlace();
    await chmod(dirname(place.path), 0o555);
    const { code, stderr } = await ralphWithoutPowers(LOOP, { cwd: place.path, env: AUTHOR });
    await chmod(dirname(place.path), 0o755);

    expect(code).toBe(4);
    expect(stderr).toMatch(/^error: cannot make the folder for worktrees \S+place[.]ralph: EACCES.*\nhint: .*worktree[.]root/);
    expect(place.git('branch', '--list', 'ralph/*')).toBe('');
  });

  it('stops the loop before its start if there is no space for a copy, and frees the space', async () => {
    await using disk = await openSmallDisk(16 * 1024 * 1024, {});
    await disk.tell(`
      mkdir repo && cd repo && git init -q . && git config user.name t && git config user.email t@example.com
      git commit -q --allow-empty -m start && echo huge > .git/info/exclude
      mkdir .ralph && echo '{"worktree": {"copy": ["huge"]}}' > .ralph/settings.json
      dd if=/dev/urandom of=huge bs=1M count=9 2>/dev/null
      ralph loop ${LOOP.map((word) => `'${word}'`).join(' ')}
      ls -A .. > "$beside/left"; git branch --list 'ralph/*' > "$beside/branches"
    `);

    expect(disk.told('loop')).toMatchObject({ code: 4, stdout: '' });
    expect(disk.told('loop').stderr).toMatch(/^error: worktree[.]copy: \S+\/huge cannot be copied: ENOSPC.*\nhint: Make room,/m);
    expect(disk.found('left').split('\n')).not.toContain('repo.ralph');
    expect(disk.found('branches')).toBe('');
  });
});
