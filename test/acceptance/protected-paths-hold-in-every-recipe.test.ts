import { execFileSync } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { bash, CLAIM, ends, turn } from '../support/claude-script.ts';
import { eventsOf } from '../support/loop-stage.ts';
import { iterationsOf, openStage } from '../support/stage.ts';
import { openStoriesStage, story } from '../support/stories-stage.ts';
import type { Part } from '../support/story-part.ts';
import { openSuperviseStage, type SuperviseStage } from '../support/supervise-stage.ts';
import { eventsIn, openWorkStage } from '../support/work-stage.ts';

vi.setConfig({ maxConcurrency: 3 });

const settings = { protect: ['tests/**'], shutdownGrace: { sigterm: '1s', sigint: '1s' } };
const files = { 'tests/work.sh': 'test "$(cat work.txt)" = done\n' };
const CHEAT = 'echo true >tests/work.sh';
const GATE = 'sh tests/work.sh';
const TOLD = 'You changed what is protected, and it was put back: tests/work.sh';

const CHEATS: Part = (me) => {
  me.write('tests/work.sh', 'true\n');
  me.good();
  me.end();
};

/** A supervisor does not need a repository, so the test creates one. */
async function inARepository(stage: SuperviseStage): Promise<(...args: readonly string[]) => string> {
  const git = (...args: readonly string[]) =>
    execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@example.com', ...args], { cwd: stage.path, encoding: 'utf8' }).trim();
  await mkdir(join(stage.path, 'tests'));
  await writeFile(join(stage.path, 'tests/work.sh'), files['tests/work.sh']);
  git('init', '-q', '-b', 'main');
  git('add', 'tests');
  git('commit', '-q', '-m', 'start');
  return git;
}

describe.concurrent('an agent that edits a protected test fails', () => {
  it('in ralph run, and the next prompt says so', async () => {
    const script = [CHEAT, 'echo done >work.txt'].map((command) => turn(bash(command), ...ends(CLAIM)));
    await using stage = await openStage(script, { settings, files, gate: GATE });
    const run = await stage.run('--max-iterations', '3');

    expect(run, run.stderr).toMatchObject({ code: 0, result: { done: true, iterations: 2 } });
    expect(iterationsOf(run)).toEqual(['red', 'green']);
    expect(eventsOf(run, 'paths.restored')[0]).toMatchObject({ paths: ['tests/work.sh'] });
    expect(stage.calls()[1]?.prompt).toContain(TOLD);
    expect(await readFile(join(stage.repo.path, 'tests/work.sh'), 'utf8')).toBe(files['tests/work.sh']);
  });

  it('under a supervisor, whose DONE is refused', async () => {
    await using stage = await openSuperviseStage(`[ "$life" = 1 ] && ${CHEAT} || echo done >work.txt; : >"$TASK_FOLDER/DONE"`, { settings });
    const git = await inARepository(stage);
    const run = await stage.supervise('--check', GATE, '-p', 'Do the work.');

    expect(run, run.stderr).toMatchObject({ code: 0, result: { stop_reason: 'completed', done: true, restarts: 2 } });
    expect(stage.prompts()[1]).toContain(TOLD);
    expect(git('status', '--porcelain', '--', 'tests')).toBe('');
  });

  it('in a job, which fails', async () => {
    await using stage = await openSuperviseStage('', { settings });
    const git = await inARepository(stage);
    const run = await stage.ralph('job', '--project', 'demo', '--task', 'one', '--json', '--check', 'true', '--', 'sh', '-c', CHEAT);

    expect(run, run.stderr).toMatchObject({ code: 1, result: { done: false } });
    expect(git('status', '--porcelain', '--', 'tests')).toBe('');
  });

  it('in ralph work: nothing is merged, and the next agent of the task is told', async () => {
    const agent = `[ "$nth" = 1 ] && ${CHEAT}\n[ "$nth" = 1 ] || echo done >work.txt\nwork; claim`;
    await using stage = await openWorkStage([['A', `verify: ["${GATE}"]`]], agent, { files, settings });
    const run = await stage.work();

    expect(run, run.stderr).toMatchObject({ code: 0, result: { done: true, work: { tasks: { done: 1, unproven: 1 } } } });
    expect(stage.prompts('A')[1]).toContain(TOLD);
    const [first] = eventsIn(stage, 'plan.settled');
    expect(first).toMatchObject({ restored: ['tests/work.sh'] });
    expect(stage.repo.git('show', `${first?.['kept']}:tests/work.sh`)).toBe('true');
    expect(stage.repo.git('show', 'main:tests/work.sh')).toBe(files['tests/work.sh'].trim());
  });

  it('on stories: the story does not change its state, and the next iteration is told', async () => {
    await using stage = await openStoriesStage([story('US-001')], [CHEATS], { files, settings });
    const run = await stage.work();

    expect(run, run.stderr).toMatchObject({ code: 0, result: { done: true } });
    expect(stage.turns()).toEqual(['implement US-001', 'implement US-001', 'review US-001']);
    expect(stage.calls()[1]?.prompt).toContain('tests/work.sh');
    expect(stage.kept('tests/work.sh')).toBe('true');
    expect(stage.repo.git('show', 'HEAD:tests/work.sh')).toBe(files['tests/work.sh'].trim());
  });

  it('on stories: what an old-style reviewer writes into ralph/ is reverted, but does not count as a protected path', async () => {
    const notes: Part = (me) => {
      me.write('ralph/progress.txt', 'I looked.\n');
      me.approve();
    };
    const worksWell: Part = (me) => {
      me.good();
      me.end();
    };
    await using stage = await openStoriesStage([story('US-001')], [worksWell, notes], { files, settings });
    const run = await stage.work();
    expect(run, run.stderr).toMatchObject({ code: 0, result: { done: true, iterations: 2 } });
    expect(stage.repo.git('show', 'HEAD:ralph/progress.txt')).not.toContain('I looked.');
  });
});
