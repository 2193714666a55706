import { existsSync, readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { bubblewrapIsMissing } from '../support/bubblewrap.ts';
import { deepIt } from '../support/deep.ts';
import { openHostileStage } from '../support/hostile-stage.ts';
import { isMade } from '../support/own-folder.ts';
import { until } from '../support/until.ts';

const COMMITS = { scm: { command: 'git', tasks: ['commit'] } };
const AGENT = 'echo more >> a; rm -r d; mkdir -p "n ew"; echo new > "n ew/line\nbreak"; echo b >> b; ln -s a link; chmod 755 a; echo DONE\n';

/** A finished run in a work tree that was dirty before. */
async function openTakenStage(settings: object, ...flags: readonly string[]) {
  const stage = await openHostileStage({ settings, files: { a: 'a\n', b: 'b\n', 'd/x': 'x\n', 'agent.sh': AGENT } });
  const { repo } = stage;
  await repo.write('b', 'dirty\n');
  await repo.write('untracked', 'untracked\n');
  const before = { status: repo.git('status', '--porcelain'), head: repo.git('rev-parse', 'HEAD') };
  const { result, stderr } = await stage.ralph('run', '-p', 'Do it.', '--agent', 'sh agent.sh', '--guardrail', 'true', '-m', '1', '--json', ...flags);
  expect(result?.done, stderr).toBe(true);
  const undo = (...words: readonly string[]) => stage.ralph('undo', `${result?.run_id}`, ...words);
  return { ...stage, before, run: `${result?.run_id}`, undo, read: (name: string) => readFileSync(join(repo.path, name), 'utf8') };
}

describe.concurrent('ralph undo', () => {
  it.each<[string, object, string]>([
    ['that committed, in the operator’s files', COMMITS, '--no-sandbox'],
    ['that did not, in the operator’s files', {}, '--no-sandbox'],
    ...(bubblewrapIsMissing() ? [] : [['that committed, in a folder of its own', COMMITS, '--sandbox=os'] as [string, object, string]]),
  ])('reverts a run %s: files, modes, branch and index are as before', async (_kind, settings, flag) => {
    await using stage = await openTakenStage(settings, flag);
    const { repo, run } = stage;
    const tried = await stage.undo('--dry-run', '--json');
    expect(tried.result).toMatchObject({ run_id: run, dry_run: true, back: ['a', 'b', 'd/x', 'link', 'n ew/line\nbreak'], stay: [] });
    expect(existsSync(join(repo.path, 'd'))).toBe(false);
    const { code, stdout } = await stage.undo();
    expect({ code, stdout }).toEqual({
      code: 0,
      stdout: expect.stringMatching(/^Undid run \S+: 5 files\.\n {2}a\n.*\nThe state before this undo is kept at refs\/ralph\/runs\/\S+\/undone\.\n$/s),
    });
    expect([stage.read('a'), stage.read('b'), stage.read('d/x'), existsSync(join(repo.path, 'n ew'))]).toEqual(['a\n', 'dirty\n', 'x\n', false]);
    expect({ status: repo.git('status', '--porcelain'), head: repo.git('rev-parse', 'HEAD') }).toEqual(stage.before);
    expect(repo.git('show', `refs/ralph/runs/${run}/undone:a`)).toContain('more');
    expect(repo.git('fsck', '--no-dangling')).toBe('');
  });

  deepIt('what an undo may touch is tested where git is asked')('keeps later changes and reports them', async () => {
    await using stage = await openTakenStage({}, '--no-sandbox');
    await stage.repo.write('a', 'mine\n');
    await rm(join(stage.repo.path, 'link'));
    const { stdout } = await stage.undo();
    expect(stage.read('a')).toBe('mine\n');
    expect(stdout).toContain('These files were changed since and stay as they are:\n  a\n');
    expect([stage.read('d/x'), existsSync(join(stage.repo.path, 'link'))]).toEqual(['x\n', false]);
  });

  it.skipIf(bubblewrapIsMissing())('keeps what the operator changed while an isolated run was working', async () => {
    const files = { a: 'a\n', b: 'b\n', 'agent.sh': 'echo more >> a; : > busy; while [ ! -e go ] && [ "$((n+=1))" -lt 30 ]; do sleep 0.1; done; echo DONE\n' };
    await using stage = await openHostileStage({ files });
    const running = stage.begin('run', '-p', 'Do it.', '--agent', 'sh agent.sh', '--guardrail', 'true', '-m', '1', '--sandbox=os', '--json');
    await until('it is at work', () => isMade(stage.repo.path, 'busy'));
    await stage.repo.write('b', 'mine\n');
    await running.ended;
    const [run = ''] = (await stage.ralph('runs', 'list')).stdout.match(/\d{8}-\d{6}-\w{6}/) ?? [];
    expect((await stage.ralph('undo', run, '--json')).result).toMatchObject({ back: ['a', 'busy'], stay: [] });
    expect([readFileSync(join(stage.repo.path, 'a'), 'utf8'), readFileSync(join(stage.repo.path, 'b'), 'utf8')]).toEqual(['a\n', 'mine\n']);
  });

  deepIt('what an undo may touch is tested where git is asked')('never drops a commit of somebody else, and does nothing when run twice', async () => {
    await using stage = await openTakenStage(COMMITS, '--no-sandbox');
    const made = stage.repo.git('rev-parse', 'HEAD');
    stage.repo.git('commit', '-q', '--allow-empty', '-m', 'on top');
    const refused = await stage.undo();
    expect({ code: refused.code, stderr: refused.stderr }).toEqual({
      code: 4,
      stderr: expect.stringMatching(/^error: the branch has moved since run \S+\nhint: .*git revert --no-edit \w+\.\.\w+\n$/),
    });
    stage.repo.git('reset', '-q', '--soft', made);
    expect((await stage.undo()).code).toBe(0);
    expect((await stage.undo()).stderr).toMatch(/was taken back already/);
  });

  it('is refused while the run is active, and for an unknown run', async () => {
    await using stage = await openHostileStage({ files: { 'agent.sh': ': > busy; sleep 600\n' } });
    const running = stage.begin('run', '-p', 'Do it.', '--agent', 'sh agent.sh', '--no-sandbox');
    await until('it is at work', () => existsSync(join(stage.repo.path, 'busy')));
    const [run = ''] = (await stage.ralph('runs', 'list')).stdout.match(/\d{8}-\d{6}-\w{6}/) ?? [];
    expect((await stage.ralph('undo', run)).stderr).toMatch(/is at work in this directory/);
    expect((await stage.ralph('diff', run, '--stat')).stdout).toContain('busy');
    running.child.kill('SIGKILL');
    await running.ended;
    expect((await stage.ralph('undo', run)).stderr).toMatch(/has not ended\nhint: .*ralph runs resume/);
    expect((await stage.ralph('undo', 'nope')).code).toBe(2);
    expect((await stage.ralph('undo')).stderr).toBe(
      `error: ralph undo needs the run that it reverts\nhint: The newest is ${run}: ralph undo ${run} (with --dry-run it only says what it would revert).\n`,
    );
  });
});

describe.concurrent('ralph diff', () => {
  it('shows only the changes of the run', async () => {
    await using stage = await openTakenStage({}, '--no-sandbox');
    await stage.repo.write('later', 'later\n');
    const { stdout } = await stage.ralph('diff', stage.run);
    expect(stdout).toMatch(/^diff --git a\/a b\/a\nold mode 100644\nnew mode 100755\n/);
    expect(stdout).toContain('+more');
    expect(stdout).not.toMatch(/later|untracked/);
    const { result } = await stage.ralph('diff', '--stat', '--json');
    expect(result).toMatchObject({
      run_id: stage.run,
      live: false,
      files: ['a', 'b', 'd/x', 'link', 'n ew/line\nbreak'],
      stat: expect.stringContaining('5 files changed'),
    });
  });

  it.skipIf(bubblewrapIsMissing())('--live shows changes of a running agent that have not landed yet', async () => {
    await using stage = await openHostileStage({ files: { a: 'a\n', 'agent.sh': 'echo more >> a; echo new > new; rm check.sh; : > busy; sleep 600\n' } });
    const running = stage.begin('run', '-p', 'Do it.', '--agent', 'sh agent.sh', '--sandbox=os');
    await until('it is at work', () => isMade(stage.repo.path, 'busy'));
    const [run = ''] = (await stage.ralph('runs', 'list')).stdout.match(/\d{8}-\d{6}-\w{6}/) ?? [];
    const { stdout, stderr } = await stage.ralph('diff', run, '--live');
    expect(stdout, stderr).toMatch(/--- a\/a\n\+\+\+ b\/a\n.*\+more\n.*--- \/dev\/null\n\+\+\+ b\/new\n/s);
    expect(stdout).toContain('--- a/check.sh\n+++ /dev/null');
    expect((await stage.ralph('diff', run)).stdout).toBe('');
    running.child.kill('SIGINT');
    running.child.kill('SIGINT');
    await running.ended;
    expect(readFileSync(join(stage.repo.path, 'new'), 'utf8')).toBe('new\n');
    expect((await stage.ralph('diff', run, '--live')).stderr).toMatch(/has no files of its own now/);
  });
});
