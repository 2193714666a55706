import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { bash, ends, stay, turn } from '../support/claude-script.ts';
import { deepRows } from '../support/deep.ts';
import { endOf } from '../support/stage.ts';
import { until } from '../support/until.ts';
import { completes, openWorktreeStage, startOf, type WorktreeStage } from '../support/worktree-stage.ts';

const notYet = turn(bash('echo some > some.txt'), ...ends('Not yet.'));
const branches = (stage: WorktreeStage) => stage.repo.git('branch', '--list', 'ralph/*', '--format=%(refname:short)').split('\n').filter(Boolean);

describe.concurrent('ralph worktree list', () => {
  it('shows each worktree, its run and what is in it', async () => {
    await using stage = await openWorktreeStage([completes(), notYet]);
    const [done, spent] = [await stage.loop(), await stage.loop('--max-iterations', '1')];
    await stage.ralph('worktree', 'new', 'by-hand');
    const listed = await stage.listed();
    const { stdout } = await stage.ralph('worktree', 'list');

    expect(listed).toHaveLength(3);
    expect(listed).toEqual(
      expect.arrayContaining([
        expect.objectContaining({
          run_id: done.result?.run_id,
          state: 'stopped',
          stop_reason: 'all_checks_passed',
          dirty: false,
          commits_ahead: 1,
          merged: false,
        }),
        expect.objectContaining({ run_id: spent.result?.run_id, state: 'stopped', stop_reason: 'max_iterations', dirty: true, commits_ahead: 0 }),
        expect.objectContaining({ name: 'by-hand', branch: 'ralph/by-hand', run_id: null, state: 'no run', dirty: false, commits_ahead: 0 }),
      ]),
    );
    expect(stdout).toMatch(/^NAME +BRANCH +RUN +STATE +FILES +COMMITS +TASK\n/);
    expect(stdout).toMatch(/^by-hand +ralph\/by-hand +- +no run +clean +0 ahead +-$/m);
    expect(stdout).toMatch(/^do-the-work-\w+ +ralph\/\S+ +\S+ +stopped: max_iterations +dirty +0 ahead +-$/m);
  });

  it('shows how many commits a worktree is ahead of and behind HEAD', async () => {
    await using stage = await openWorktreeStage([]);
    await stage.ralph('worktree', 'new', 'try');
    stage.repo.git('-C', join(stage.root, 'try'), 'commit', '-q', '--allow-empty', '-m', 'there');
    for (const message of ['one', 'two']) stage.repo.git('commit', '-q', '--allow-empty', '-m', message);
    const { stdout } = await stage.ralph('worktree', 'list');

    expect(await stage.listed()).toMatchObject([{ commits_ahead: 1, commits_behind: 2, merged: false, task: null }]);
    expect(stdout).toMatch(/^try .+ 1 ahead, 2 behind +-$/m);
  });

  it('shows worktrees of active runs, during setup, and of killed runs', async () => {
    await using stage = await openWorktreeStage([turn(stay)]);
    const running = stage.beginLoop();
    await stage.made('calls.jsonl');
    expect(await stage.listed()).toMatchObject([{ state: 'running', stop_reason: null }]);
    const [path = ''] = stage.worktrees();
    const refused = await stage.ralph('worktree', 'remove', path, '--force');
    const cleaned = await stage.ralph('worktree', 'clean');
    running.child.kill('SIGKILL');
    await endOf(running);
    const killed = await stage.listed();
    const kept = await stage.ralph('worktree', 'clean');

    expect(refused).toMatchObject({ code: 4, stdout: '', stderr: expect.stringMatching(/ is not removed: run \S+ is active in it\n/) });
    expect(cleaned.stdout).toMatch(/^Kept \S+: run \S+ is active in it\n$/);
    expect(killed).toMatchObject([{ state: 'dead' }]);
    expect(kept.stdout).toMatch(/^Kept \S+: its run was killed and can be resumed: ralph runs resume \S+\n$/);

    await stage.repo.write('.ralph/settings.local.json', JSON.stringify({ worktree: { setup: 'touch ../../beside/setting-up; sleep 600' } }));
    const starting = stage.beginLoop();
    await stage.made('setting-up');
    expect((await stage.listed()).map(({ state }) => state).sort()).toEqual(['dead', 'running']);
    starting.child.kill('SIGKILL');
    await endOf(starting);
    expect((await stage.listed()).map(({ state }) => state).sort()).toEqual(['dead', 'no run']);
    await until('the guardian has ended the setup', () => stage.processes().length === 0);
    const swept = await stage.ralph('worktree', 'clean');
    expect(swept.stdout).toMatch(/^Removed \S+\n/m);
    expect(stage.worktrees()).toEqual([path]);
  });

  it('never shows, removes or cleans a worktree of the operator', async () => {
    await using stage = await openWorktreeStage([completes()]);
    const { repo } = stage;
    await stage.loop();
    const theirs = [join(stage.root, 'theirs'), join(repo.beside, 'named-like-ours'), join(repo.beside, 'with-a-run')];
    for (const [place, branch] of [
      ['theirs', 'feature'],
      ['../beside/named-like-ours', 'ralph/mine'],
      ['../beside/with-a-run', 'own'],
    ] as const) {
      repo.git('worktree', 'add', '-q', '-b', branch, place === 'theirs' ? join(stage.root, place) : place);
    }
    await stage.ralphIn(join(repo.beside, 'with-a-run'), 'run', '-p', 'x', '--agent', 'echo DONE', '--guardrail', 'true');
    const listed = await stage.listed();
    const removed = await stage.ralph('worktree', 'remove', join(stage.root, 'theirs'), '--force');
    await stage.ralph('worktree', 'clean');

    expect(listed).toHaveLength(1);
    expect(removed).toMatchObject({ code: 2, stderr: expect.stringContaining('no worktree of ralph is called') });
    for (const path of theirs) expect(existsSync(join(path, '.git'))).toBe(true);
  });
});

describe.concurrent('ralph worktree new', () => {
  it('creates one like that of a loop, and refuses an existing name', async () => {
    await using stage = await openWorktreeStage([], { worktree: { copy: ['.env'], setup: 'echo set > up.txt' } });
    await stage.repo.write('.env', 'A=1\n');
    const made = await stage.ralph('worktree', 'new', 'try', '--json');
    const again = await stage.ralph('worktree', 'new', 'try');
    const { path } = JSON.parse(made.stdout);
    await stage.ralph('worktree', 'remove', 'try', '--force');
    const branchIsThere = await stage.ralph('worktree', 'new', 'try');

    expect(made.code).toBe(0);
    expect(path).toBe(join(stage.root, 'try'));
    expect(again).toMatchObject({ code: 4, stderr: expect.stringContaining(`error: ${path} is there already\n`) });
    expect(branchIsThere).toMatchObject({ code: 4, stderr: expect.stringContaining('error: the branch ralph/try exists already\n') });
    expect(stage.worktrees()).toEqual([]);
  });

  it.each(deepRows('a name is refused by one rule', ['../out', '-f', 'a b', 'a/b', '.hidden', 'x..y', 'x.lock', 'task.1'], 3))(
    'refuses %j as a name',
    async (name) => {
      await using stage = await openWorktreeStage([]);
      const run = await stage.ralph('worktree', 'new', '--', name);

      expect(run).toMatchObject({ code: 2, stderr: expect.stringContaining('is not a valid worktree name\n') });
      expect(existsSync(stage.root)).toBe(false);
    },
  );
});

describe.concurrent('ralph worktree remove', () => {
  it('removes a merged worktree, and keeps the branch without --branch', async () => {
    await using stage = await openWorktreeStage([completes()]);
    const [first, second] = [await stage.loop(), await stage.loop()];
    const [one, two] = [startOf(first), startOf(second)];
    const unmerged = await stage.ralph('worktree', 'remove', one.path);
    stage.repo.git('merge', '-q', one.branch);
    const removed = await stage.ralph('worktree', 'remove', `${first.result?.run_id}`);
    const forced = await stage.ralph('worktree', 'remove', two.branch, '--force', '--branch', '--json');

    expect(unmerged).toMatchObject({
      code: 4,
      stderr: expect.stringMatching(/it has 1 commit that no other branch has\. Not merged: [0-9a-f]{7,} Iteration 1: [^\n]*\nhint: Add --force/),
    });
    expect(removed.stdout).toBe(`Removed ${one.path}; branch ${one.branch} is kept\n`);
    expect(JSON.parse(forced.stdout)).toMatchObject({ branch_deleted: true, removed: { path: two.path } });
    expect(branches(stage)).toEqual([one.branch]);
    expect(existsSync(stage.root)).toBe(false);
  });

  it('refuses one with uncommitted changes', async () => {
    await using stage = await openWorktreeStage([notYet]);
    const { path } = startOf(await stage.loop('--max-iterations', '1'));
    const run = await stage.ralph('worktree', 'remove', path);

    expect(run).toMatchObject({ code: 4, stderr: expect.stringContaining('it has uncommitted changes. Not committed: some.txt\n') });
    expect(existsSync(path)).toBe(true);
  });

  it('names the first ten files that would be lost', async () => {
    await using stage = await openWorktreeStage([]);
    await stage.ralph('worktree', 'new', 'full');
    const path = join(stage.root, 'full');
    for (let n = 1; n <= 12; n += 1) stage.repo.git('-C', path, 'commit', '-q', '--allow-empty', '-m', `step ${n}`);
    for (let n = 10; n <= 21; n += 1) await writeFile(join(path, `file${n}`), '');
    const { stderr, code } = await stage.ralph('worktree', 'remove', 'full');

    expect(code).toBe(4);
    expect(stderr).toContain('full is not removed: it has uncommitted changes; it has 12 commits that no other branch has. ');
    expect(stderr).toContain(`. Not committed: ${Array.from({ length: 10 }, (_, index) => `file${10 + index}`).join(', ')}, and 2 more. Not merged: `);
    expect(stderr.match(/[0-9a-f]{7,} step \d+/g)?.map((commit) => commit.split(' ').at(-1))).toEqual(['12', '11', '10', '9', '8', '7', '6', '5', '4', '3']);
    expect(stderr).toMatch(/ step 3, and 2 more\nhint: Add --force to remove it anyway\.\n$/);
  });

  it.each([[[]], [['frob']]])('is not guessed from %j', async (words) => {
    await using stage = await openWorktreeStage([]);
    const run = await stage.ralph('worktree', ...words);
    expect(run).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining('hint: ralph worktree --help') });
  });
});

describe.concurrent('ralph worktree clean', () => {
  it('removes worktrees that are no longer needed, and says why the others are kept', async () => {
    await using stage = await openWorktreeStage([completes(bash('echo 1 > one.txt')), completes(), notYet, turn(...ends('Nothing to do.'))]);
    const [merged, unmerged] = [await stage.loop(), await stage.loop()];
    const [dirty, empty] = [await stage.loop('--max-iterations', '1'), await stage.loop('--max-iterations', '1')];
    const made = await stage.ralph('worktree', 'new', 'by-hand');
    stage.repo.git('merge', '-q', startOf(merged).branch);
    const [dry, cleaned, again] = [
      await stage.ralph('worktree', 'clean', '--dry-run'),
      await stage.ralph('worktree', 'clean'),
      await stage.ralph('worktree', 'clean'),
    ];
    const kept = [
      `Kept ${startOf(unmerged).path}: it has 1 commit that no other branch has`,
      `Kept ${startOf(dirty).path}: it has uncommitted changes`,
      `Kept ${join(stage.root, 'by-hand')}: it was created by hand`,
    ];

    expect(made.code).toBe(0);
    const linesOf = ({ stdout }: { stdout: string }) => stdout.trimEnd().split('\n').sort();
    const gone = [merged, empty].map((run) => startOf(run).path);
    expect(linesOf(dry)).toEqual([...kept, ...gone.map((path) => `Would remove ${path}`)].sort());
    expect(linesOf(cleaned)).toEqual([...kept, ...gone.map((path) => `Removed ${path}`)].sort());
    expect(linesOf(again)).toEqual(kept.sort());
    expect(branches(stage).sort()).toEqual(['ralph/by-hand', startOf(dirty).branch, startOf(unmerged).branch].sort());
  });

  it('unregisters one whose folder was removed', async () => {
    await using stage = await openWorktreeStage([turn(bash('rm -rf "$PWD"'), ...ends('Oops.'))]);
    await stage.loop('--max-iterations', '1');
    const cleaned = await stage.ralph('worktree', 'clean');

    expect(cleaned.stdout).toMatch(/^Removed /);
    expect(await stage.listed()).toEqual([]);
    expect(branches(stage)).toEqual([]);
  });

  it('does nothing in a repository without worktrees', async () => {
    await using stage = await openWorktreeStage([]);
    await writeFile(join(stage.repo.beside, 'x'), '');
    expect(await stage.ralph('worktree', 'clean')).toMatchObject({ code: 0, stdout: 'There is nothing to clean.\n' });
  });
});
