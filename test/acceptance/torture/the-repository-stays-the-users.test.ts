import { describe, expect, it } from 'vitest';
import { bash, CLAIM, ends, type Step, stay, turn } from '../../support/claude-script.ts';
import { iterationsOf, openStage, WORK, WORKED } from '../../support/stage.ts';

const commitAll = bash('git add -A && git -c user.name=a -c user.email=a@example.com commit -qm "by the agent"');
const works = [bash(WORK), ...ends(CLAIM)];
const gives = (step: Step) => turn(step, ...ends('Not there yet.'));

describe.concurrent('an agent that', () => {
  it('deletes .ralph during the run does not disturb it', async () => {
    await using stage = await openStage([gives(bash('rm -rf .ralph')), turn(...works)]);
    const run = await stage.run('-m', '2');

    expect(run.code).toBe(0);
    expect(run.result).toMatchObject({ stop_reason: 'completed', iterations: 2 });
    expect(iterationsOf(run)).toEqual(['red', 'green']);
    expect(stage.after()).toEqual({ calls: 2, commits: 1, changed: ['D .ralph/settings.json', ...WORKED], processes: [] });
  });

  it('runs git clean -fdx during the run does not disturb it', async () => {
    await using stage = await openStage([gives(bash('git clean -fdxq')), turn(bash('git clean -fdxq'), ...works)]);
    const run = await stage.run('-m', '2');

    expect(run.code).toBe(0);
    expect(run.result).toMatchObject({ stop_reason: 'completed', iterations: 2 });
    expect(iterationsOf(run)).toEqual(['red', 'green']);
    expect(stage.after()).toEqual({ calls: 2, commits: 1, changed: WORKED, processes: [] });
  });

  it('runs git clean -fdx does not allow a second loop', async () => {
    await using stage = await openStage([turn(bash('git clean -fdxq; touch ../beside/busy'), stay)]);
    const running = stage.start();
    await stage.made('busy');
    const refused = await stage.run('--iteration-timeout', '1s', '-m', '1');

    expect(refused.code).toBe(4);
    expect(refused.stderr).toContain(`pid ${running.child.pid}`);
    expect(stage.calls()).toHaveLength(1);
  });

  it('commits everything commits none of our files', async () => {
    await using stage = await openStage([gives(commitAll), turn(bash(WORK), commitAll, ...ends(CLAIM))]);
    const run = await stage.run('-m', '2');

    expect(run.code).toBe(0);
    expect(run.result).toMatchObject({ stop_reason: 'completed', zero_work: false, iterations: 2 });
    expect(stage.repo.git('show', '--name-only', '--format=', 'HEAD')).toBe('work.txt');
    expect(stage.repo.git('ls-files', '.ralph')).toBe('.ralph/settings.json');
    expect(stage.after()).toEqual({ calls: 2, commits: 2, changed: [], processes: [] });
  });

  it('empties .git/info/exclude and commits everything commits none of our files either', async () => {
    await using stage = await openStage([gives(bash(': > .git/info/exclude')), turn(bash(WORK), commitAll, ...ends(CLAIM))]);
    const run = await stage.run('-m', '2');

    expect(run.code).toBe(0);
    expect(stage.repo.git('show', '--name-only', '--format=', 'HEAD')).toBe('work.txt');
    expect(stage.after()).toEqual({ calls: 2, commits: 2, changed: [], processes: [] });
  });

  it('empties .git/info/exclude and claims to be done has still done zero work', async () => {
    await using stage = await openStage([turn(bash(': > .git/info/exclude'), ...ends(CLAIM))], { gate: 'true' });
    const run = await stage.run();

    expect(run.result).toMatchObject({ stop_reason: 'completed', zero_work: true });
    expect(stage.after()).toEqual({ calls: 1, commits: 1, changed: [], processes: [] });
  });

  it('removes the prompt file ends the run with exit code 2 and a hint that helps', async () => {
    const prompt = { 'prompt.md': 'Do the work.\n' };
    await using stage = await openStage([gives(bash('rm prompt.md')), turn(...works)], { files: prompt });
    const run = await stage.ralph('run', '-f', 'prompt.md', '--agent', 'claude', '--guardrail', 'sh check.sh', '--json');
    await stage.repo.write('prompt.md', prompt['prompt.md']);
    const resumed = await stage.ralph('run', '--resume', '--json');

    expect(run.code).toBe(2);
    expect(run.result).toMatchObject({ stop_reason: 'fatal', done: false, exit_code: 2, cost_usd: 0.01 });
    expect(run.result?.message).toMatch(/^the prompt file cannot be read: .*prompt\.md: ENOENT\. .*ralph runs resume$/);
    expect(run.stderr).toContain(run.result?.message);
    expect(resumed.code).toBe(0);
    expect(resumed.result).toMatchObject({ run_id: run.result?.run_id, stop_reason: 'completed' });
    expect(stage.after()).toEqual({ calls: 2, commits: 1, changed: WORKED, processes: [] });
  });
});

describe.concurrent('a loop', () => {
  it('in a subfolder of the repository hides our files there too', async () => {
    await using stage = await openStage([turn(...works)], { files: { 'packages/a/check.sh': 'cat work.txt\n' }, where: 'packages/a' });
    const run = await stage.run();

    expect(run.code).toBe(0);
    expect(run.result).toMatchObject({ stop_reason: 'completed', zero_work: false });
    expect(stage.after()).toEqual({ calls: 1, commits: 1, changed: ['?? packages/a/work.txt'], processes: [] });
  });

  it('lets only settings.json of .ralph be committed', async () => {
    await using stage = await openStage([turn(...works)]);
    await stage.run();
    await stage.repo.write('.ralph/settings.json', '{ "maximumIterations": 7 }\n');
    await stage.repo.write('.ralph/settings.local.json', '{}\n');
    stage.repo.git('add', '-A');

    expect(stage.repo.git('diff', '--cached', '--name-only')).toBe('.ralph/settings.json\nwork.txt');
  });
});
