import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { bodiesOf, doneInLife, eventsIn, openSuperviseStage } from '../../support/supervise-stage.ts';
import { until } from '../../support/until.ts';

describe.concurrent('the loop stops when DONE exists', () => {
  it('after the first start, with a message to the task and one to the project', async () => {
    await using stage = await openSuperviseStage(doneInLife(1));
    const run = await stage.supervise();

    expect(run, run.stderr).toMatchObject({ code: 0, result: { stop_reason: 'completed', done: true, unproven: true, restarts: 1, exit_code: 0 } });
    expect(stage.lives()).toEqual(['1.1']);
    expect(stage.messages().map(({ type, body }) => `${type} ${body.split('\n')[0]}`)).toEqual([
      'INFO starting root agent (restart #0)',
      'RUN_START run started',
      'RUN_STOP run stopped with code 0',
      'INFO task completed (DONE marker present, no active children)',
    ]);
    expect(stage.projectMessages()).toMatchObject([{ type: 'FACT', header: expect.stringContaining('task_completion_propagation') }]);
  });

  it('after the third start with two failures before, and posts three starts', async () => {
    await using stage = await openSuperviseStage(`${doneInLife(3)}\n[ "$life" = 3 ] || exit 1`);
    const run = await stage.supervise();

    expect(run.result, run.stderr).toMatchObject({ stop_reason: 'completed', restarts: 3 });
    expect(stage.lives()).toEqual(['1.1', '2.1', '3.1']);
    expect(bodiesOf(stage.messages(), 'INFO').slice(0, -1)).toEqual([0, 1, 2].map((n) => `starting root agent (restart #${n})`));
    expect(bodiesOf(stage.messages(), 'WARNING')).toEqual([0, 1].map((n) => `root agent failed on restart #${n}: agent reported failure`));
  });

  it('with any exit code of the agent', async () => {
    await using stage = await openSuperviseStage(`${doneInLife(1)}\nexit 9`);

    expect(await stage.supervise()).toMatchObject({ code: 0, result: { stop_reason: 'completed', restarts: 1 } });
  });

  it('before the start: the agent never runs, whatever DONE contains', async () => {
    await using stage = await openSuperviseStage('exit 1');
    await stage.put('DONE', 'not really\n');
    const run = await stage.supervise('--max-restarts', '0');

    expect(run, run.stderr).toMatchObject({ code: 0, result: { stop_reason: 'completed', restarts: 0 } });
    expect(stage.lives()).toEqual([]);
    expect(stage.projectMessages()).toHaveLength(1);
  });

  it('in the pause between two starts: the agent is not restarted', async () => {
    await using stage = await openSuperviseStage('exit 1');
    const running = stage.begin('--restart-delay', '2s');
    await until('the first life is over', () => bodiesOf(stage.messages(), 'RUN_CRASH').length === 1);
    await stage.put('DONE');
    const run = await stage.over(running);

    expect(run, run.stderr).toMatchObject({ code: 0, result: { stop_reason: 'completed', restarts: 1 } });
    expect(stage.lives()).toEqual(['1.1']);
  });
});

describe.concurrent('the loop continues without DONE:', () => {
  it('exit 0 never stops it', async () => {
    await using stage = await openSuperviseStage('exit 0');
    const run = await stage.supervise('--max-restarts', '3');

    expect(run, run.stderr).toMatchObject({ code: 1, result: { stop_reason: 'max_restarts', message: 'max restarts (3) exceeded', done: false, restarts: 3 } });
    expect(stage.lives()).toHaveLength(3);
    expect(bodiesOf(stage.messages(), 'ERROR')).toEqual(['task failed: max restarts (3) exceeded']);
    expect(stage.projectMessages()).toEqual([]);
  });

  it('it pauses between two starts, counted from the end of the first', async () => {
    await using stage = await openSuperviseStage(doneInLife(2));
    const run = await stage.supervise('--restart-delay', '700ms');
    const [closed] = eventsIn(stage, 'iteration.closed');
    const [, spawned] = eventsIn(stage, 'attempt.spawned');

    expect(run).toMatchObject({ code: 0 });
    expect(Number(spawned?.['at']) - Number(closed?.['at'])).toBeGreaterThanOrEqual(700);
  });

  it.each([0, 1])('at most %i times', async (most) => {
    await using stage = await openSuperviseStage('exit 1');
    const run = await stage.supervise('--max-restarts', `${most}`);

    expect(run, run.stderr).toMatchObject({ code: 1, result: { stop_reason: 'max_restarts', message: `max restarts (${most}) exceeded`, restarts: most } });
    expect(stage.lives()).toHaveLength(most);
  });
});

describe.concurrent('an error that a restart cannot fix stops the loop at once with exit code 4:', () => {
  it('a missing agent, before anything is written', async () => {
    await using stage = await openSuperviseStage('');
    const run = await stage.supervise('--', join(stage.beside, 'nowhere'));

    expect(run).toMatchObject({ code: 4, result: { stop_reason: 'fatal', done: false, exit_code: 4 } });
    expect(run.stderr).toMatch(/^error: .*nowhere.*\nhint: .+\n$/);
    expect(existsSync(stage.task)).toBe(false);
  });

  it('an agent that is not executable', async () => {
    await using stage = await openSuperviseStage('');
    const run = await stage.supervise('--', join(stage.beside, 'agent.sh'));

    expect(run).toMatchObject({ code: 4, result: { stop_reason: 'fatal' } });
    expect(existsSync(stage.task)).toBe(false);
  });

  it.each([
    ['is removed', 'rm "$0"'],
    ['becomes not executable', 'chmod 644 "$0"'],
  ])('an agent that %s after its first run; the failed start does not count', async (_, harm) => {
    await using stage = await openSuperviseStage('');
    const agent = join(stage.beside, 'tool');
    await writeFile(agent, `#!/bin/sh\n${harm}\nexit 1\n`, { mode: 0o755 });
    const run = await stage.supervise('--', agent);

    expect(run, run.stderr).toMatchObject({ code: 4, result: { stop_reason: 'fatal', done: false, restarts: 1 } });
    expect(bodiesOf(stage.messages(), 'ERROR')).toHaveLength(1);
  });
});

describe.concurrent('the task folder', () => {
  it('is in --root, and a task without a name gets one, which is printed', async () => {
    await using stage = await openSuperviseStage(doneInLife(1));
    const root = join(stage.beside, 'tasks');
    const run = await stage.ralph('supervise', '--root', root, '--json', '--', 'sh', join(stage.beside, 'agent.sh'));

    expect(run, run.stderr).toMatchObject({ code: 0, result: { project: 'place', task: expect.stringMatching(/^task-\d{8}-\d{6}-[0-9a-f]{6}$/) } });
    expect(run.stderr).toContain(run.result?.task);
    expect(existsSync(join(root, 'place', run.result?.task ?? '', 'DONE'))).toBe(true);
    expect(existsSync(join(stage.path, '.ralph', 'tasks'))).toBe(false);
  });

  it('may disappear during the run: the run reports that and ends', async () => {
    await using stage = await openSuperviseStage('rm -rf "$TASK_FOLDER"');
    const run = await stage.supervise('--max-restarts', '2');

    expect(run, run.stderr).toMatchObject({ code: 4, result: { stop_reason: 'fatal', exit_code: 4 } });
    expect(run.stderr).toMatch(/error: The journal .* was deleted/);
  });

  it('that is a file is reported in one line', async () => {
    await using stage = await openSuperviseStage('');
    await mkdir(stage.project, { recursive: true });
    await writeFile(stage.task, 'a file');
    const run = await stage.supervise();

    expect(run).toMatchObject({ code: 2, result: { stop_reason: 'fatal' } });
    expect(run.stderr).toMatch(/^error: .*a file stands where its folder should be\nhint: .+\n$/);
  });
});
