import { describe, expect, it } from 'vitest';
import { bash, CLAIM, ends, turn } from '../../support/claude-script.ts';
import { openPlace } from '../../support/place.ts';
import { openStage, WORK } from '../../support/stage.ts';

const commitAll = 'git add -A && git -c user.name=a -c user.email=a@example.com commit -qm "by the agent"';

describe.concurrent('none of our files are committed', () => {
  it('in a repository that the agent creates', async () => {
    await using place = await openPlace();
    await place.write('agent.sh', `cat >/dev/null; git init -q; ${WORK}; ${commitAll}; echo DONE\n`);
    const run = await place.ralph(['run', '-p', 'Do the work.', '--agent', 'sh agent.sh', '--guardrail', 'true', '--json']);

    expect(run.code).toBe(0);
    expect(place.git('ls-tree', '-r', '--name-only', 'HEAD').split('\n')).toEqual(['agent.sh', 'work.txt']);
    expect(place.git('status', '--porcelain')).toBe('');
  });

  it('in a subfolder of the repository after git clean -fdx', async () => {
    const clean = turn(bash('git clean -fdxq'), ...ends('Not there yet.'));
    const commit = turn(bash(`${WORK}; ${commitAll}`), ...ends(CLAIM));
    await using stage = await openStage([clean, commit], { files: { 'sub/check.sh': 'cat work.txt\n' }, where: 'sub' });
    const run = await stage.run('-m', '2');

    expect(run.code).toBe(0);
    expect(stage.repo.git('show', '--name-only', '--format=', 'HEAD')).toBe('sub/work.txt');
    expect(stage.after()).toMatchObject({ calls: 2, commits: 2, changed: [] });
  });
});
