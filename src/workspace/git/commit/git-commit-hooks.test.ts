import { readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openCommitter } from '../../../../test/support/committer.ts';
import { isRunning, runningWithMarker } from '../../../../test/support/live-processes.ts';
import { never } from '../../../../test/support/process-request.ts';
import { openRepo, type Repo } from '../../../../test/support/repo.ts';
import { until } from '../../../../test/support/until.ts';
import type { ProcessIdentity } from '../../../process/process-request.ts';

const headOf = (repo: Repo) => repo.git('rev-parse', 'HEAD');

/** A repository with a hook and something to commit. */
async function withHook(hook: string, script: string): Promise<Repo> {
  const repo = await openRepo({ 'a.txt': 'a\n' });
  await repo.write(`.git/hooks/${hook}`, `#!/bin/sh\n${script}\n`, 0o755);
  await repo.write('a.txt', 'work\n');
  return repo;
}

async function expectNothingLost(repo: Repo): Promise<void> {
  expect(repo.git('log', '--format=%s')).toBe('start');
  expect(await readFile(join(repo.path, 'a.txt'), 'utf8')).toBe('work\n');
  repo.git('add', '-A');
}

describe('a hook that refuses the commit', () => {
  it.each([
    ['is reported by the summary at its end', 'echo "src/a.js: error: x"; echo; echo "eslint found 3 problems" >&2; echo; exit 1', 'eslint found 3 problems'],
    ['is reported without its colours', 'printf "\\033[31mred\\033[0m line\\r\\n"; exit 3', 'red line'],
    ['is reported by its last line, not by an earlier complaint of git', 'git rev-parse no-such-thing; echo "tests failed"; exit 1', 'tests failed'],
    ['is reported even if it prints nothing', 'exit 1', 'git ended with code 1 and said nothing; a hook may have refused'],
    ['gets no answer from its input', 'printf "Really? "; read answer && exit 0; echo; echo "no answer"; exit 1', 'no answer'],
    ['gets no terminal', 'read answer < /dev/tty && exit 0; echo "no terminal"; exit 1', 'no terminal'],
    ['gets no editor', 'git commit --allow-empty --no-verify || echo "no editor"; exit 1', 'no editor'],
    ['is reported if it kills the git that runs it', 'kill -9 $PPID; exit 0', 'git was ended by SIGKILL'],
  ])('%s', async (_name, script, detail) => {
    await using repo = await withHook('pre-commit', script);
    const committer = await openCommitter(repo.path);
    expect(await committer.commit()).toEqual({ kind: 'failed', detail });
    await expectNothingLost(repo);
  });

  it('leaves the files as they are, and the next commit contains them', async () => {
    await using repo = await withHook('pre-commit', '[ -e .git/ready ] || exit 1');
    const committer = await openCommitter(repo.path);
    expect(await committer.commit()).toMatchObject({ kind: 'failed' });
    await expectNothingLost(repo);
    await repo.write('.git/ready', '');
    expect(await committer.commit()).toMatchObject({ kind: 'made' });
    expect(repo.git('status', '--porcelain')).toBe('');
  });
});

describe('a hook that does not end', () => {
  it('is ended at the time limit, even if it ignores signals', async () => {
    await using repo = await withHook('pre-commit', "trap '' TERM INT; echo begun; while :; do sleep 1; done");
    const committer = await openCommitter(repo.path);
    expect(await committer.commit({ timeoutMs: 3_000 })).toEqual({ kind: 'failed', detail: 'timed out after 3s' });
    expect(runningWithMarker(committer.marker)).toEqual([]);
    await expectNothingLost(repo);
  });

  it('is ended when the commit is cancelled', async () => {
    await using repo = await withHook('commit-msg', 'echo $$ > .git/pid; sleep 1000');
    const committer = await openCommitter(repo.path);
    const cancelling = new AbortController();
    const answer = committer.commit({}, cancelling.signal);
    await until('the hook runs', async () => (await stat(join(repo.path, '.git/pid')).catch(() => null)) !== null);
    cancelling.abort(new Error('interrupted'));
    expect(await answer).toEqual({ kind: 'failed', detail: 'cancelled: interrupted' });
    expect(runningWithMarker(committer.marker)).toEqual([]);
    await expectNothingLost(repo);
  });

  it('is reported to the guardian while it runs', async () => {
    await using repo = await withHook('pre-commit', 'echo $$ > .git/pid; sleep 1000');
    const watched = new Set<number>();
    const guardian = {
      watch: ({ pid }: ProcessIdentity) => void watched.add(pid),
      forget: ({ pid }: ProcessIdentity) => void watched.delete(pid),
      reportLeft: () => undefined,
    };
    const committer = await openCommitter(repo.path, { guardian });
    const cancelling = new AbortController();
    const answer = committer.commit({}, cancelling.signal);
    const pid = async () => Number(await readFile(join(repo.path, '.git/pid'), 'utf8').catch(() => ''));
    await until('the hook runs', async () => (await pid()) > 0);
    expect(runningWithMarker(committer.marker)).toContain(await pid());
    expect(watched.size).toBeGreaterThan(0);
    cancelling.abort();
    await answer;
    expect(watched.size).toBe(0);
  });

  it('leaves nothing running after it went into the background', async () => {
    await using repo = await withHook('post-commit', '(setsid sleep 1000 > /dev/null 2>&1 & echo $! > .git/pid); sleep 1000 &');
    const committer = await openCommitter(repo.path);
    expect(await committer.commit()).toMatchObject({ kind: 'made' });
    expect(isRunning(Number(await readFile(join(repo.path, '.git/pid'), 'utf8')))).toBe(false);
    expect(runningWithMarker(committer.marker)).toEqual([]);
  });

  it.each([
    ['hangs', 'sleep 1000'],
    ['kills the git that runs it', 'kill -9 $PPID; sleep 1000'],
  ])('has committed even if it %s after the commit', async (_name, script) => {
    await using repo = await withHook('post-commit', script);
    const committer = await openCommitter(repo.path);
    const request = await committer.wish({ timeoutMs: 3_000 });
    expect(await committer.git.commit(request, never)).toEqual({ kind: 'made', commit: headOf(repo), tree: request.tree, leftOut: [] });
    expect(await committer.git.findCommit(request)).toEqual({ commit: headOf(repo), tree: request.tree });
  });
});

describe('a hook that prints', () => {
  it('prints 50 MB, and the log has all of it', async () => {
    await using repo = await withHook('pre-commit', 'head -c 52428800 /dev/zero | tr "\\0" "x"; echo');
    const committer = await openCommitter(repo.path);
    expect(await committer.commit()).toMatchObject({ kind: 'made' });
    expect((await stat(committer.logFile)).size).toBe(52_428_801);
  });

  it('prints endlessly and is ended', async () => {
    await using repo = await withHook('pre-commit', 'yes "a line"');
    const committer = await openCommitter(repo.path);
    expect(await committer.commit()).toMatchObject({ kind: 'failed', detail: expect.stringMatching(/^more than \d+ bytes of output$/) });
    expect(runningWithMarker(committer.marker)).toEqual([]);
    await expectNothingLost(repo);
  });
});

describe('a hook that changes the commit', () => {
  it('may format files and add them again: the commit has another tree', async () => {
    await using repo = await withHook('pre-commit', 'tr a-z A-Z < a.txt > b.txt && mv b.txt a.txt && git add a.txt');
    const committer = await openCommitter(repo.path);
    const request = await committer.wish();
    const tree = () => repo.git('rev-parse', 'HEAD^{tree}');
    expect(await committer.git.commit(request, never)).toEqual({ kind: 'made', commit: headOf(repo), tree: tree(), leftOut: [] });
    expect(tree()).not.toBe(request.tree);
    expect(repo.git('show', 'HEAD:a.txt')).toBe('WORK');
    expect(repo.git('status', '--porcelain')).toBe('');
    expect(await committer.git.findCommit(request)).toMatchObject({ commit: headOf(repo) });
  });

  it('may revert all changes: the commit has the tree of its parent, as in git', async () => {
    await using repo = await withHook('pre-commit', 'git checkout -q HEAD -- a.txt');
    expect(await (await openCommitter(repo.path)).commit()).toMatchObject({ kind: 'made', tree: repo.git('rev-parse', 'HEAD~1^{tree}') });
  });

  it('may add to the message', async () => {
    await using repo = await withHook('commit-msg', 'echo "Change-Id: I1" >> "$1"');
    const committer = await openCommitter(repo.path);
    const wish = await committer.wish();
    expect(await committer.git.commit(wish, never)).toMatchObject({ kind: 'made', tree: wish.tree });
    expect(repo.git('log', '-1', '--format=%B')).toBe('as wished\nChange-Id: I1');
    expect(await committer.git.findCommit(wish)).toMatchObject({ commit: headOf(repo) });
  });

  it('may make its own commit on top', async () => {
    await using repo = await withHook('post-commit', '[ "$(git log -1 --format=%s)" = bump ] || git commit -q --allow-empty -m bump');
    const committer = await openCommitter(repo.path);
    const wish = await committer.wish();
    expect(await committer.git.commit(wish, never)).toMatchObject({ kind: 'made', commit: headOf(repo), tree: wish.tree });
    expect(repo.git('log', '--format=%s').split('\n')).toEqual(['bump', 'as wished', 'start']);
  });

  it.each([
    ['', 'exit 0'],
    [', even if it then hangs', 'sleep 1000'],
  ])('may commit more than requested: the answer is the new HEAD%s', async (_name, end) => {
    const bump = `[ "$(git log -1 --format=%s)" = bump ] || { echo 2 > version.txt; git add version.txt; git commit -q -m bump; ${end}; }`;
    await using repo = await withHook('post-commit', bump);
    const committer = await openCommitter(repo.path);
    const wish = await committer.wish({ timeoutMs: 5_000 });
    const answer = await committer.git.commit(wish, never);
    const tree = repo.git('rev-parse', 'HEAD^{tree}');
    expect(answer).toEqual({ kind: 'made', commit: headOf(repo), tree, leftOut: [] });
    expect(tree).not.toBe(wish.tree);
    expect(await committer.git.findCommit(wish)).toEqual({ commit: repo.git('rev-parse', 'HEAD~1'), tree: wish.tree });
  });
});

describe('another committer', () => {
  it('that commits while a hook runs wins, and Ralph commits nothing', async () => {
    await using repo = await withHook('pre-commit', 'tree=$(git rev-parse HEAD^{tree}); git update-ref HEAD $(git commit-tree -p HEAD -m other $tree)');
    const committer = await openCommitter(repo.path);
    expect(await committer.commit()).toMatchObject({ kind: 'failed', detail: expect.stringMatching(/^fatal: cannot lock ref 'HEAD': is at/) });
    expect(repo.git('log', '--format=%s').split('\n')).toEqual(['other', 'start']);
  });

  it('that commits just before git starts is reported', async () => {
    await using repo = await withHook('pre-commit', 'exit 0');
    const slip = 'case "$*" in *commit*) git commit -q --allow-empty --only -m other;; esac; exec git "$@"';
    const detail = expect.stringMatching(/^somebody else committed at the same moment: \w{12} lies on \w{12}, not on \w{12}$/);
    expect(await (await openCommitter(repo.path)).commit({ git: ['sh', '-c', slip, 'sh'] })).toMatchObject({ kind: 'failed', detail });
    expect(repo.git('log', '--format=%s').split('\n')).toEqual(['as wished', 'other', 'start']);
  });

  // They share one index, so one of them may commit half of the other's files: the lock of the work tree keeps two loops apart.
  it('with the same commit at the same time loses no work, and neither reports a commit that does not exist', async () => {
    await using repo = await withHook('pre-commit', 'exit 0');
    const [one, other] = [await openCommitter(repo.path), await openCommitter(repo.path)];
    const requests = [await one.wish({ message: 'one' }), await other.wish({ message: 'other' })] as const;
    const answers = await Promise.all([one.git.commit(requests[0], never), other.git.commit(requests[1], never)]);
    const made = new Set(answers.flatMap((answer) => (answer.kind === 'made' ? [answer.commit] : [])));
    expect(repo.git('rev-list', '--max-count=1', '--skip=1', 'HEAD') === '' ? [] : [headOf(repo)]).toEqual([...made]);
    expect(await readFile(join(repo.path, 'a.txt'), 'utf8')).toBe('work\n');
    expect(['made', 'failed']).toContain((await one.commit({ message: 'later' })).kind);
    expect(repo.git('rev-parse', 'HEAD^{tree}')).toBe(requests[0].tree);
    expect(repo.git('status', '--porcelain')).toBe('');
  });

  it('that holds the index for a moment is waited for', async () => {
    await using repo = await withHook('pre-commit', 'exit 0');
    const committer = await openCommitter(repo.path);
    const lock = await repo.write('.git/index.lock', '');
    const answer = committer.commit();
    await until('git has met the lock', async () => (await readFile(committer.logFile, 'utf8').catch(() => '')).includes('index.lock'));
    await rm(lock);
    expect(await answer).toMatchObject({ kind: 'made' });
  });
});
