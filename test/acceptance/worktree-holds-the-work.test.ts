import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { bash, ends, turn, until } from '../support/claude-script.ts';
import { type EndedRun, endOf, journalOf } from '../support/stage.ts';
import { COMPLETE, completes, openWorktreeStage, startOf } from '../support/worktree-stage.ts';

const shell = (command: string) => execFileSync('sh', ['-c', command], { encoding: 'utf8' });

/** The commands at the end of the summary, ready to paste. */
function printed({ stderr }: EndedRun, verb: string): string {
  return stderr.split('\n').find((line) => line.includes(`git -C `) && line.includes(` ${verb} `)) ?? 'false';
}

describe.concurrent('a loop with --worktree', () => {
  it('works beside the repository and does not change the operator’s files', async () => {
    await using stage = await openWorktreeStage([completes()]);
    const run = await stage.loop();
    const { path, branch, repository, cwd, origin, found } = startOf(run);

    expect(run).toMatchObject({ code: 0, result: { stop_reason: 'all_checks_passed', commits: 1 } });
    expect(stage.worktrees()).toEqual([path]);
    expect(path).toMatch(new RegExp(`^${stage.repo.path}[.]ralph/do-the-work-[0-9a-f]{6}$`));
    expect({ branch, repository, cwd, origin }).toEqual({
      branch: `ralph/${run.result?.run_id}`,
      repository: stage.repo.path,
      cwd: path,
      origin: stage.repo.path,
    });
    expect(stage.after()).toEqual({ calls: 1, commits: 1, changed: [], processes: [] });
    expect(stage.repo.git('cat-file', '-t', found.tree)).toBe('tree');
    expect(existsSync(join(stage.repo.path, '.ralph', 'runs'))).toBe(false);
  });

  it('commits every green iteration with the name of the run, and prints the commands that show and merge it', async () => {
    await using stage = await openWorktreeStage([
      turn(bash('echo done > work.txt; echo 1 > more.txt'), ...ends('Not yet.')),
      completes(bash('echo 2 > more.txt')),
    ]);
    const run = await stage.loop();
    const { branch, found } = startOf(run);
    const id = `${run.result?.run_id}`;
    await stage.repo.write('other.txt', 'of the operator\n');
    stage.repo.git('add', '-A');
    stage.repo.git('commit', '-q', '-m', 'meanwhile');
    const trailers = stage.repo.git('log', '--reverse', '--format=%(trailers:key=Ralph-Run,valueonly,separator=%x2C)', `${found.head}..${branch}`);

    expect(trailers.split('\n')).toEqual([`${id}/1`, `${id}/2`]);
    expect(shell(printed(run, 'diff'))).toMatch(/^diff --git a\/more[.]txt .*\n(.*\n)*diff --git a\/work[.]txt/);
    expect(shell(printed(run, 'diff'))).not.toContain('other.txt');
    shell(`GIT_EDITOR=true ${printed(run, 'merge').trim()}`);
    expect(readFileSync(join(stage.repo.path, 'more.txt'), 'utf8')).toBe('2\n');
  });

  it('never removes an earlier worktree', async () => {
    await using stage = await openWorktreeStage([turn(bash('echo first > kept.txt'), ...ends('Not yet.')), completes()]);
    const first = await stage.loop('--max-iterations', '1');
    const second = await stage.loop();

    expect([first.code, second.code]).toEqual([1, 0]);
    expect(readFileSync(join(startOf(first).path, 'kept.txt'), 'utf8')).toBe('first\n');
    expect(stage.worktrees()).toHaveLength(2);
    expect(stage.repo.git('branch', '--list', 'ralph/*').split('\n')).toHaveLength(2);
  });

  it('can run at the same time as other loops, with or without a worktree', async () => {
    await using stage = await openWorktreeStage([completes(until('../../beside/go'))]);
    const loops = [stage.beginLoop(), stage.beginLoop(), stage.beginLoop()];
    await stage.made('calls.jsonl');
    const inPlace = await stage.ralph('loop', 'Look.', '--agent', 'echo hello', '--check', 'true', '--require-tag', 'never', '--json');
    await stage.make('go');
    const ended = await Promise.all(loops.map(endOf));

    expect(inPlace.code).toBe(0);
    expect(ended.map(({ code }) => code)).toEqual([0, 0, 0]);
    expect(new Set(ended.map((run) => startOf(run).path)).size).toBe(3);
    for (const run of ended) expect(stage.repo.git('show', `${startOf(run).branch}:work.txt`)).toBe('done');
    expect(stage.after()).toMatchObject({ calls: 3, changed: [], processes: [] });
  });

  it('works in the same subfolder that the operator is in', async () => {
    await using stage = await openWorktreeStage([turn(bash('echo done > work.txt'), ...ends(COMPLETE))], {
      where: 'deep/down',
      files: { 'deep/down/check.sh': 'grep -q done work.txt\n' },
    });
    const run = await stage.loop();
    const { path, cwd, origin, branch } = startOf(run);

    expect(run.code).toBe(0);
    expect({ cwd, origin }).toEqual({ cwd: join(path, 'deep/down'), origin: join(stage.repo.path, 'deep/down') });
    expect(stage.repo.git('show', `${branch}:deep/down/work.txt`)).toBe('done');
  });

  it('can start at a detached HEAD, and names uncommitted files that it does not include', async () => {
    await using stage = await openWorktreeStage([completes()]);
    stage.repo.git('checkout', '-q', '--detach');
    await stage.repo.write('check.sh', 'grep -q done work.txt && echo changed\n');
    await stage.repo.write('new.txt', 'new\n');
    const run = await stage.loop();

    expect(run.code).toBe(0);
    expect(run.stderr).toContain('warning: not committed, so not in the worktree: check.sh, new.txt\n');
    expect(existsSync(join(startOf(run).path, 'new.txt'))).toBe(false);
  });

  it('puts the worktree where the settings say, also in a path with spaces', async () => {
    await using stage = await openWorktreeStage([completes()], { worktree: { root: '../beside/my trees' } });
    const run = await stage.loop();

    expect(run.code).toBe(0);
    expect(startOf(run).path).toContain(join(stage.repo.beside, 'my trees', 'do-the-work-'));
    expect(await stage.listed()).toMatchObject([{ state: 'stopped', run_id: run.result?.run_id }]);
  });

  it('can start in a worktree of the operator', async () => {
    await using stage = await openWorktreeStage([completes()]);
    const tree = join(stage.repo.beside, 'tree');
    stage.repo.git('worktree', 'add', '-q', '-b', 'own', tree);
    await mkdir(join(tree, '.ralph'), { recursive: true });
    const run = await stage.ralphIn(tree, 'loop', 'Do it.', '--agent', 'claude', '--check', 'sh check.sh', '--worktree', '--json');

    expect(run.code).toBe(0);
    expect(startOf(run)).toMatchObject({ origin: tree, repository: tree, path: expect.stringContaining(`${stage.root}/do-it-`) });
  });

  it('ends with a clear message when the agent removes the worktree', async () => {
    await using stage = await openWorktreeStage([turn(bash('rm -rf "$PWD"'), ...ends(COMPLETE))]);
    const run = await stage.loop('--max-iterations', '2');

    expect(run.code).not.toBe(0);
    expect(run.code).not.toBe(70);
    expect(run.stderr).not.toContain('bug in ralph');
    expect(journalOf(run).at(-1)).toMatchObject({ type: 'run.stopped' });
    expect(await stage.listed()).toMatchObject([{ gone: true, state: 'stopped' }]);
  });
});
