import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { bash, CLAIM, ends, turn } from '../support/claude-script.ts';
import { type CommittingStage, goesOn, MESSAGE, names, openCommittingStage, works } from '../support/committing-stage.ts';
import { WORK } from '../support/stage.ts';

/** The branch, what git says of the files, and whether a worktree or a branch of Ralph's is left. */
const stateOf = ({ repo }: CommittingStage) => ({
  log: repo.git('log', '--reverse', '--format=%s', 'main').split('\n'),
  status: repo.git('status', '--porcelain'),
  left: [repo.git('branch', '--list', 'ralph/*'), ...(existsSync(`${repo.path}.ralph`) ? ['a worktree'] : [])].filter(Boolean),
});
const NOTHING_LANDED = { log: ['start'], status: '' };

describe.concurrent('--landing=end', () => {
  it('changes nothing of the operator’s before the run has ended well; then all is there, and nothing is left over', async () => {
    const looks = bash('cp -r ../../repo/. ../../beside/during; git -C ../../repo log --format=%s main > ../../beside/log');
    await using stage = await openCommittingStage([
      turn(bash(WORK), ...ends('more')),
      names('One'),
      turn(looks, bash('echo 2 > two'), ...ends(CLAIM)),
      names('Two'),
    ]);
    const { code, stderr } = await stage.run('--landing=end');

    expect(code, stderr).toBe(0);
    expect(readFileSync(join(stage.repo.beside, 'log'), 'utf8')).toBe('start\n');
    expect(existsSync(join(stage.repo.beside, 'during/work.txt'))).toBe(false);
    expect(stateOf(stage)).toEqual({ log: ['start', 'One', 'Two'], status: '', left: [] });
    expect(stage.after().processes).toEqual([]);
    expect(stderr).toContain('Landed on main.');
  });

  it('keeps what a run that gave up has made in its worktree, and says where', async () => {
    await using stage = await openCommittingStage([goesOn, names('One')]);
    const { code, stderr } = await stage.run('--landing=end', '-m', '1');

    expect(code).toBe(1);
    expect(stateOf(stage)).toMatchObject({ ...NOTHING_LANDED, left: [expect.stringContaining('ralph/'), 'a worktree'] });
    expect(stderr).toMatch(/git -C \S+ merge ralph\/\S+/);
  });

  it('never lands over a change of the operator’s, and lands when the run is resumed', async () => {
    await using stage = await openCommittingStage([works, names(MESSAGE)], { files: { 'work.txt': 'old\n' } });
    await stage.repo.write('work.txt', 'mine\n');
    const { code, stderr, result } = await stage.run('--landing=end');

    expect(code).toBe(0);
    expect(readFileSync(join(stage.repo.path, 'work.txt'), 'utf8')).toBe('mine\n');
    expect(stateOf(stage).log).toEqual(['start']);
    expect(stderr).toMatch(/main cannot follow in \S+: what is not committed there would be lost: work\.txt; .*git merge ralph\//);
    stage.repo.git('checkout', '-q', '--', 'work.txt');
    const again = await stage.ralph('run', '--resume', `${result?.run_id}`);
    expect(again.code, again.stderr).toBe(0);
    expect(stateOf(stage)).toEqual({ log: ['start', MESSAGE], status: '', left: [] });
  });

  it('does not say that it has landed what the agent has put on a branch of its own', async () => {
    await using stage = await openCommittingStage([turn(bash(`git checkout -qb feature; ${WORK}`), ...ends(CLAIM)), names(MESSAGE)]);
    const { stderr } = await stage.run('--landing=end', '--no-sandbox');

    expect(stateOf(stage)).toMatchObject(NOTHING_LANDED);
    expect(stderr).toContain('is not on the branch ralph/');
    expect(stage.repo.git('log', '-1', '--format=%s', 'feature')).toBe(MESSAGE);
  });

  it('can be taken back by ralph undo', async () => {
    await using stage = await openCommittingStage([works, names(MESSAGE)]);
    const { result } = await stage.run('--landing=end');
    const undone = await stage.ralph('undo', `${result?.run_id}`);

    expect(undone.code, undone.stderr).toBe(0);
    expect(stateOf(stage)).toEqual({ ...NOTHING_LANDED, left: [] });
    expect(existsSync(join(stage.repo.path, 'work.txt'))).toBe(false);
  });

  it('holds for ralph loop too', async () => {
    await using stage = await openCommittingStage([turn(bash(WORK), ...ends('All is done.\nCOMPLETE')), names(MESSAGE)]);
    const { code, stderr } = await stage.ralph('loop', 'Do the work.', '--agent', 'claude', '--check', 'sh check.sh', '--commit', '--landing=end', '--json');

    expect(code, stderr).toBe(0);
    expect(stateOf(stage)).toMatchObject({ log: ['start', expect.any(String)], status: '', left: [] });
  });
});

describe.concurrent('--landing=green', () => {
  it('lands each commit, also of a run that gives up', async () => {
    const waits = bash(
      'until git -C ../../repo log --format=%s main | grep -q One; do sleep 0.1; done; git -C ../../repo log -1 --format=%s main > ../../beside/log',
    );
    await using stage = await openCommittingStage([goesOn, names('One'), turn(waits, bash('echo 2 > two'), ...ends('more')), names('Two')]);
    const { code, stderr } = await stage.run('--landing=green', '-m', '2');

    expect(code, stderr).toBe(1);
    expect(readFileSync(join(stage.repo.beside, 'log'), 'utf8')).toBe('One\n');
    expect(stateOf(stage)).toMatchObject({ log: ['start', 'One', 'Two'], status: '' });
  });
});

describe.concurrent('a run whose work could never land is refused', () => {
  it.each([
    ['without commits', { settings: { scm: { tasks: [] } } }, (stage: CommittingStage) => stage.run('--landing=end'), /only commits can land later/],
    [
      'on a detached HEAD',
      {},
      (stage: CommittingStage) => {
        stage.repo.git('checkout', '-q', '--detach');
        return stage.run('--landing=green');
      },
      /HEAD is detached/,
    ],
  ] as const)('%s', async (_why, props, start, message) => {
    await using stage = await openCommittingStage([works], props);
    const { code, stderr } = await start(stage);
    expect([code, stage.calls()]).toEqual([2, []]);
    expect(stderr).toMatch(message);
    expect(stateOf(stage).left).toEqual([]);
  });
});
