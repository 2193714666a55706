import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { deepIt, deepRows } from '../../../test/support/deep.ts';
import { isRunning, runningWithMarker } from '../../../test/support/live-processes.ts';
import { expectSound, openStoryStage, PLAN, type StoryStage } from '../../../test/support/story-ground-stage.ts';
import { until } from '../../../test/support/until.ts';

async function leaves(stage: StoryStage): Promise<void> {
  await stage.repo.write('left.txt', 'left\n');
}

describe("the project's commit hook", () => {
  it('is reported if it refuses, and leftovers are committed anyway', async () => {
    await using stage = await openStoryStage();
    await stage.hook('pre-commit', 'echo ran >> .git/ran; echo "src/a.ts: error"; echo "eslint found 1 problem" >&2; exit 1');
    await leaves(stage);
    const done = await stage.settle();
    expect(done).toMatchObject({ hook: 'eslint found 1 problem', commit: done.head, leftovers: true });
    expect(stage.repo.git('show', 'HEAD:left.txt')).toBe('left');
    await expectSound(stage, done);
    expect(await stage.settle()).toEqual(done);
    expect(await readFile(stage.at('.git/ran'), 'utf8')).toBe('ran\n');
  });

  it('does not run if there is nothing to commit', async () => {
    await using stage = await openStoryStage();
    await stage.hook('pre-commit', 'exit 1');
    await stage.commits('work');
    expect(await stage.settle()).toMatchObject({ hook: null, commit: null });
  });

  it.each(deepRows('both are called by the same git commit', ['prepare-commit-msg', 'commit-msg'], 1))('may be %s', async (name) => {
    await using stage = await openStoryStage();
    await stage.hook(name, 'echo "not that message"; exit 1');
    await leaves(stage);
    const done = await stage.settle();
    expect(done.hook).toBe('not that message');
    await expectSound(stage, done);
  });

  it('is ended if it does not end itself, with everything it started', async () => {
    await using stage = await openStoryStage();
    await stage.hook('pre-commit', "trap '' TERM INT; sleep 1000 & while :; do sleep 1; done");
    await leaves(stage);
    await using ground = stage.again({ hookTimeoutMs: 3_000 });
    const done = await ground.settle(stage.wish);
    expect(done).toMatchObject({ hook: 'timed out after 3s', commit: done.head });
    expect(runningWithMarker(stage.marker)).toEqual([]);
    await expectSound(stage, done);
  });

  it('is not waited for once the run is to end', async () => {
    await using stage = await openStoryStage();
    await stage.hook('pre-commit', 'echo $$ > .git/pid; sleep 1000');
    await leaves(stage);
    const stopping = new AbortController();
    await using ground = stage.again({ signal: stopping.signal });
    const settling = ground.settle(stage.wish);
    const pid = async () => Number(await readFile(stage.at('.git/pid'), 'utf8').catch(() => ''));
    await until('the hook runs', async () => (await pid()) > 0, 50_000);
    stopping.abort(new Error('interrupted'));
    const done = await settling;
    expect(done).toMatchObject({ hook: 'cancelled: interrupted', commit: done.head });
    expect(isRunning(await pid())).toBe(false);
    await expectSound(stage, done);
  });

  it('leaves nothing running', async () => {
    await using stage = await openStoryStage();
    await stage.hook('pre-commit', 'setsid sh -c "sleep 1000" </dev/null >/dev/null 2>&1 & exit 0');
    await leaves(stage);
    const done = await stage.settle();
    expect(done.hook).toBeNull();
    expect(runningWithMarker(stage.marker)).toEqual([]);
    await expectSound(stage, done);
  });

  it('may change what is committed', async () => {
    await using stage = await openStoryStage();
    await stage.hook('pre-commit', 'echo formatted > left.txt; git add left.txt');
    await leaves(stage);
    const done = await stage.settle();
    expect(done).toMatchObject({ hook: null, commit: done.head });
    expect(stage.repo.git('show', 'HEAD:left.txt')).toBe('formatted');
    await expectSound(stage, done);
  });

  deepIt('hooks of other commits show the same')('may change files and forget to add them', async () => {
    await using stage = await openStoryStage();
    await stage.hook('pre-commit', 'echo formatted > left.txt; echo new > new.txt');
    await leaves(stage);
    const done = await stage.settle();
    expect(done.hook).toBeNull();
    expect(['left.txt', 'new.txt'].map((file) => stage.repo.git('show', `HEAD:${file}`))).toEqual(['formatted', 'new']);
    expect(stage.repo.git('rev-parse', 'HEAD~1')).toBe(done.commit);
    await expectSound(stage, done);
  });

  it('may change protected files, and Ralph reverts that', async () => {
    await using stage = await openStoryStage();
    await stage.hook('pre-commit', `echo less > ralph/prd.md; echo '{}' > ${PLAN}; git add ralph; exit 0`);
    await leaves(stage);
    const plan = '{"stories":2}\n';
    const done = await stage.settle({ plan });
    expect(done.reverted).toEqual(['ralph/prd.md']);
    expect(await readFile(stage.at(PLAN), 'utf8')).toBe(plan);
    expect(stage.repo.git('show', 'HEAD:ralph/prd.md')).toBe('what is wanted');
    await expectSound(stage, done);
  });

  it('may move HEAD, and Ralph reverts that', async () => {
    await using stage = await openStoryStage();
    await stage.hook('post-commit', '[ -e .git/once ] && exit 0; touch .git/once; git checkout -q --detach; git reset -q --hard HEAD~2');
    await leaves(stage);
    const done = await stage.settle();
    await expectSound(stage, done);
  });
});

describe('the author of a commit of leftovers', () => {
  it('is the operator, or Ralph if git knows nobody, also if a hook refuses', async () => {
    await using stage = await openStoryStage();
    for (const name of ['user.name', 'user.email']) stage.repo.git('config', '--unset', name);
    stage.repo.git('config', 'user.useConfigOnly', 'true');
    const author = () => stage.repo.git('log', '-1', '--format=%an <%ae> %cn');
    await leaves(stage);
    expect((await stage.settle()).hook).toBeNull();
    expect(author()).toBe('ralph <ralph@localhost> ralph');
    await stage.hook('pre-commit', 'exit 1');
    await stage.repo.write('more.txt', 'x\n');
    expect((await stage.settle({ keptRef: `${stage.wish.keptRef}0` })).hook).not.toBeNull();
    expect(author()).toBe('ralph <ralph@localhost> ralph');
  });

  deepIt('hooks of other commits show the same')('need not be able to sign', async () => {
    await using stage = await openStoryStage();
    stage.repo.git('config', 'commit.gpgSign', 'true');
    stage.repo.git('config', 'gpg.program', 'false');
    await leaves(stage);
    const done = await stage.settle();
    expect(done.hook).toMatch(/gpg failed to sign/);
    await expectSound(stage, done);
  });
});
