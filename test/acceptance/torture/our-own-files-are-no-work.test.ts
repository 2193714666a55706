import { describe, expect, it } from 'vitest';
import { bash, CLAIM, ends, turn } from '../../support/claude-script.ts';
import { MESSAGE, messageCalls, names, openCommittingStage } from '../../support/committing-stage.ts';
import { WORK } from '../../support/stage.ts';

describe.concurrent('our own files are in no commit of ours', () => {
  it('after the agent has emptied .git/info/exclude', async () => {
    const agent = turn(bash(`: > .git/info/exclude; ${WORK}`), ...ends(CLAIM));
    await using stage = await openCommittingStage([agent, names(MESSAGE)]);
    const run = await stage.run();

    expect(run.code).toBe(0);
    expect(stage.inLastCommit()).toEqual(['work.txt']);
    expect(stage.repo.git('ls-files', '.ralph')).toBe('.ralph/settings.json');
  });

  it('after the agent has force-staged them, and a log in HEAD stays unchanged', async () => {
    const log = '.ralph/guardrail_001_x.log';
    const agent = turn(bash(`${WORK}; date > ${log}; touch .ralph-active; git add -f .ralph .ralph-active`), ...ends(CLAIM));
    await using stage = await openCommittingStage([agent, names(MESSAGE)], { files: { [log]: 'of old\n' } });
    const run = await stage.run();

    expect(run.code).toBe(0);
    expect(stage.inLastCommit()).toEqual(['work.txt']);
    expect(stage.repo.git('show', `HEAD:${log}`)).toBe('of old');
    expect(stage.repo.git('ls-files', '.ralph', '.ralph-active').split('\n')).toEqual([log, '.ralph/settings.json']);
    expect(run.result).toMatchObject({ zero_work: false, scm_problem: null });
  });

  it('after the agent has force-committed them', async () => {
    const force = 'date > .ralph/guardrail_000_of_old.log; git add -f .ralph work.txt; git commit -qm "by the agent"';
    const first = turn(bash(`${WORK}; ${force}; date > some.txt`), ...ends('Not there yet.'));
    const second = turn(bash('date > more.txt'), ...ends(CLAIM));
    await using stage = await openCommittingStage([first, names('First'), second, names(MESSAGE)]);
    const run = await stage.run('-m', '2');

    expect(run.code).toBe(0);
    expect(stage.subjects()).toEqual(['start', 'by the agent', 'First', MESSAGE]);
    expect(stage.repo.git('diff', '--name-only', 'HEAD~2', 'HEAD')).toBe('more.txt\nsome.txt');
  });

  it('and count as zero work if nothing else has changed', async () => {
    await using stage = await openCommittingStage([turn(bash('git add -f .ralph'), ...ends(CLAIM))], { gate: 'true' });
    const run = await stage.run();

    expect(run.code).toBe(0);
    expect(run.result).toMatchObject({ zero_work: true, commits: 0, last_commit: null, scm_problem: null });
    expect(messageCalls(stage)).toEqual([]);
    expect(stage.subjects()).toEqual(['start']);
  });
});
