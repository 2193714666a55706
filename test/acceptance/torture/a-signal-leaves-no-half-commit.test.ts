import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { bash, CLAIM, ends, type Turn, turn, until as untilMade } from '../../support/claude-script.ts';
import { type CommittingStage, giveRemote, goesOn, MESSAGE, messageCalls, names, openCommittingStage, works } from '../../support/committing-stage.ts';
import { deepIt, deepRows } from '../../support/deep.ts';
import type { RunningRalph } from '../../support/ralph.ts';
import { endOf, iterationsOf, WORK } from '../../support/stage.ts';
import { until } from '../../support/until.ts';

/** A hook that runs until the test releases it. */
const WAITS = 'touch ../beside/busy; until [ -e ../beside/go ]; do sleep 0.1; done';
/** The same, once. */
const WAITS_ONCE = `[ -e ../beside/busy ] || { ${WAITS}; }`;

async function startBusy(stage: CommittingStage, ...more: readonly string[]): Promise<RunningRalph> {
  const running = stage.start(...more);
  await stage.made('busy');
  return running;
}

const isDraining = (running: RunningRalph) => until('it drains', () => running.stderr().includes('shutting down'));
const allAreGone = (stage: CommittingStage) => until('nothing of it runs any more', () => stage.processes().length === 0);
const isLocked = ({ repo }: CommittingStage) => existsSync(join(repo.path, '.git/index.lock')) || existsSync(join(repo.path, '.git/HEAD.lock'));

describe.concurrent('a signal while a hook runs', () => {
  const whoms = [
    ['to the loop only', 1, works, { code: 0, result: { stop_reason: 'completed' } }],
    ['to the loop only, without a claim,', 1, goesOn, { code: 130, result: { stop_reason: 'interrupted' } }],
    ['to the whole group, as Ctrl-C does,', -1, goesOn, { code: 130, result: { stop_reason: 'interrupted' } }],
  ] as const;
  it.each(deepRows('with and without a claim it is the same commit', whoms, 2))('%s lets the commit be finished', async (_name, whom, work, end) => {
    await using stage = await openCommittingStage([work as Turn, names(MESSAGE)], { tasks: ['commit', 'tag made'] });
    await stage.hook('pre-commit', WAITS);
    const running = await startBusy(stage);
    process.kill(whom * (running.child.pid ?? Number.NaN), 'SIGINT');
    await isDraining(running);
    await stage.make('go');
    const run = await endOf(running);

    expect(run).toMatchObject(end);
    expect(run.result).toMatchObject({ commits: 1, scm_problem: null });
    expect(iterationsOf(run)).toEqual(['green']);
    expect(stage.subjects()).toEqual(['start', MESSAGE]);
    expect(stage.repo.git('tag')).toBe('made');
    expect(stage.after()).toEqual({ calls: 2, commits: 2, changed: [], processes: [] });
  });

  it.each([
    ['the second one', {}, 'SIGINT'],
    ['the end of the grace time', { shutdownGrace: { sigint: '1s' } }, null],
  ] as const)('stops at once if it is %s: hook and git end, and no lock is left', async (_name, settings, second) => {
    const scm = { command: 'git', tasks: ['commit', 'tag made'] };
    await using stage = await openCommittingStage([goesOn, names(MESSAGE), works, names(MESSAGE)], { settings: { scm, ...settings } });
    await stage.hook('pre-commit', `setsid sleep 600 & ${WAITS_ONCE}`);
    const running = await startBusy(stage);
    running.child.kill('SIGINT');
    await isDraining(running);
    if (second) running.child.kill(second);
    const run = await endOf(running);

    expect(run.code).toBe(130);
    expect(run.result).toMatchObject({ stop_reason: 'interrupted', commits: 0 });
    expect(isLocked(stage)).toBe(false);
    expect(stage.repo.git('tag')).toBe('');
    expect(stage.after()).toMatchObject({ calls: 2, commits: 1, processes: [] });

    const resumed = await stage.ralph('run', '--resume', '--json');
    expect(resumed.code).toBe(0);
    expect(stage.subjects()).toEqual(['start', MESSAGE]);
    expect(stage.inLastCommit()).toEqual(['more.txt', 'work.txt']);
    expect(stage.after()).toMatchObject({ commits: 2, changed: [], processes: [] });
  });

  deepIt('a kill at every line of a commit is in test/crashes/')('twice does not revoke a proven claim', async () => {
    await using stage = await openCommittingStage([works, names(MESSAGE)]);
    await stage.hook('pre-commit', WAITS);
    const running = await startBusy(stage);
    running.child.kill('SIGINT');
    await isDraining(running);
    running.child.kill('SIGINT');
    const run = await endOf(running);

    // The commit was asked for and not made.
    expect(run.code).toBe(1);
    expect(run.result).toMatchObject({ stop_reason: 'completed', commits: 0 });
    expect(run.result?.scm_problem).toMatch(/cancelled/);
    expect(isLocked(stage)).toBe(false);
    expect(stage.after()).toMatchObject({ calls: 2, commits: 1, processes: [] });
  });

  it('during the request for a message waits for the message and commits', async () => {
    const slow = turn(bash('touch ../beside/busy'), untilMade('../beside/go'), ...ends(MESSAGE));
    await using stage = await openCommittingStage([goesOn, slow]);
    const running = await startBusy(stage);
    running.child.kill('SIGINT');
    await isDraining(running);
    await stage.make('go');
    const run = await endOf(running);

    expect(run.code).toBe(130);
    expect(stage.subjects()).toEqual(['start', MESSAGE]);
    expect(stage.after()).toEqual({ calls: 2, commits: 2, changed: [], processes: [] });
  });
});

describe.concurrent('kill -9 of the loop', () => {
  const moments: readonly (readonly [string, string])[] = [
    ['before the commit is made', 'pre-commit'],
    ['after the commit is made', 'post-commit'],
    ['while the message is written', 'commit-msg'],
    ['in the middle of a push', 'pre-push'],
  ];
  it.each(deepRows('a kill at every line of a commit is in test/crashes/', moments, 2))(
    'in a hook %s takes git and the hook along, and --resume makes it exactly one commit',
    async (_name, hook) => {
      await using stage = await openCommittingStage([works, names(MESSAGE)], { tasks: ['commit', 'push'] });
      const { repo } = stage;
      giveRemote(stage);
      await stage.hook(hook, `setsid sleep 600 & ${WAITS_ONCE}`);
      const running = await startBusy(stage);
      running.child.kill('SIGKILL');
      await running.ended;
      await allAreGone(stage);
      const resumed = await stage.ralph('run', '--resume', '--json');

      expect(resumed.code).toBe(0);
      expect(resumed.result).toMatchObject({ stop_reason: 'completed', done: true, commits: 1, scm_problem: null });
      expect(messageCalls(stage)).toHaveLength(1);
      expect(stage.subjects()).toEqual(['start', MESSAGE]);
      expect(repo.git('rev-parse', 'origin/main')).toBe(repo.git('rev-parse', 'HEAD'));
      expect(isLocked(stage)).toBe(false);
      await allAreGone(stage);
      expect(stage.after()).toEqual({ calls: 2, commits: 2, changed: [], processes: [] });
    },
  );

  it('during the request for a message repeats the request after a resume, and commits once', async () => {
    const cut = turn(bash('touch ../beside/busy'), untilMade('../beside/go'), ...ends('Never heard'));
    await using stage = await openCommittingStage([turn(bash(WORK), ...ends(CLAIM)), cut, names(MESSAGE)]);
    const running = await startBusy(stage);
    running.child.kill('SIGKILL');
    await running.ended;
    await allAreGone(stage);
    const resumed = await stage.ralph('run', '--resume', '--json');

    expect(resumed.code).toBe(0);
    expect(stage.subjects()).toEqual(['start', MESSAGE]);
    expect(stage.after()).toEqual({ calls: 3, commits: 2, changed: [], processes: [] });
  });
});
