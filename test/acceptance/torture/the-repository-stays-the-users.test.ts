import { mkdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { bash, CLAIM, ends, type Step, stay, turn } from '../../support/claude-script.ts';
import { ended, iterationsOf, openStage, WORK, WORKED } from '../../support/stage.ts';

const commitAll = bash('git add -A && git -c user.name=a -c user.email=a@example.com commit -qm "by the agent"');
const works = [bash(WORK), ...ends(CLAIM)];
const gives = (step: Step) => turn(step, ...ends('Not there yet.'));

describe.concurrent('an agent that', () => {
  it('deletes .ralph in the middle does not disturb the run', async () => {
    await using stage = await openStage([gives(bash('rm -rf .ralph')), turn(...works)]);
    const run = await stage.run('-m', '2');

    expect(run.code).toBe(0);
    expect(run.result).toMatchObject({ stop_reason: 'completed', iterations: 2 });
    expect(iterationsOf(run)).toEqual(['red', 'green']);
    expect(stage.after()).toEqual({ calls: 2, commits: 1, changed: ['D .ralph/settings.json', ...WORKED], processes: [] });
  });

  it('runs git clean -fdx in the middle does not disturb the run', async () => {
    await using stage = await openStage([gives(bash('git clean -fdxq')), turn(bash('git clean -fdxq'), ...works)]);
    const run = await stage.run('-m', '2');

    expect(run.code).toBe(0);
    expect(run.result).toMatchObject({ stop_reason: 'completed', iterations: 2 });
    expect(iterationsOf(run)).toEqual(['red', 'green']);
    expect(stage.after()).toEqual({ calls: 2, commits: 1, changed: WORKED, processes: [] });
  });

  it('runs git clean -fdx does not open the directory to a second loop', async () => {
    await using stage = await openStage([turn(bash('git clean -fdxq; touch ../beside/busy'), stay)]);
    const running = stage.start();
    await stage.made('busy');
    const refused = await stage.run();
    running.child.kill('SIGKILL');
    await running.ended;

    expect(refused.code).toBe(4);
    expect(stage.calls()).toHaveLength(1);
  });

  it('commits everything commits nothing of ours', async () => {
    await using stage = await openStage([gives(commitAll), turn(bash(WORK), commitAll, ...ends(CLAIM))]);
    const run = await stage.run('-m', '2');

    expect(run.code).toBe(0);
    expect(run.result).toMatchObject({ stop_reason: 'completed', zero_work: false, iterations: 2 });
    expect(stage.repo.git('show', '--name-only', '--format=', 'HEAD')).toBe('work.txt');
    expect(stage.repo.git('ls-files', '.ralph')).toBe('.ralph/settings.json');
    expect(stage.after()).toEqual({ calls: 2, commits: 2, changed: [], processes: [] });
  });

  it('empties .git/info/exclude and commits everything commits nothing of ours either', async () => {
    await using stage = await openStage([gives(bash(': > .git/info/exclude')), turn(bash(WORK), commitAll, ...ends(CLAIM))]);
    const run = await stage.run('-m', '2');

    expect(run.code).toBe(0);
    expect(stage.repo.git('show', '--name-only', '--format=', 'HEAD')).toBe('work.txt');
    expect(stage.after()).toEqual({ calls: 2, commits: 2, changed: [], processes: [] });
  });

  it('empties .git/info/exclude and claims to be done has still done nothing', async () => {
    await using stage = await openStage([turn(bash(': > .git/info/exclude'), ...ends(CLAIM))], { gate: 'true' });
    const run = await stage.run();

    expect(run.result).toMatchObject({ stop_reason: 'completed', zero_work: true });
    expect(stage.after()).toEqual({ calls: 1, commits: 1, changed: [], processes: [] });
  });

  it('removes the prompt file ends the run with one line, exit 2', async () => {
    await using stage = await openStage([gives(bash('rm prompt.md'))], { files: { 'prompt.md': 'Do the work.\n' } });
    const run = await stage.ralph('run', '-f', 'prompt.md', '--agent', 'claude', '--guardrail', 'sh check.sh', '--json');

    expect(run.code).toBe(2);
    expect(run.result).toMatchObject({ stop_reason: 'fatal', done: false, exit_code: 2 });
    expect(run.result?.message).toMatch(/^the prompt file cannot be read: .*prompt\.md: ENOENT$/);
    expect(run.stderr).toContain(run.result?.message);
    expect(stage.after()).toEqual({ calls: 1, commits: 1, changed: ['D prompt.md'], processes: [] });
  });
});

describe('settings.json', () => {
  it('stays committable, while all else in .ralph is kept out', async () => {
    await using stage = await openStage([turn(...works)]);
    const running = stage.start();
    await ended(running);
    await writeFile(join(stage.repo.path, '.ralph', 'settings.json'), '{ "maximumIterations": 7 }\n');
    await mkdir(join(stage.repo.path, 'packages', 'a'), { recursive: true });
    await rename(join(stage.repo.path, 'work.txt'), join(stage.repo.path, 'packages', 'a', 'work.txt'));

    expect(stage.repo.git('status', '--porcelain', '--untracked-files=all')).toBe('M .ralph/settings.json\n?? packages/a/work.txt');
  });
});
