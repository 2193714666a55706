import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { bodiesOf, doneInLife, eventsIn, openSuperviseStage } from '../../support/supervise-stage.ts';
import { until } from '../../support/until.ts';

describe.concurrent('the loop stops when DONE is there:', () => {
  it('in the first life, with a word to the task and one to the project', async () => {
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

  it('in the third life after two failures: three lives, three words of a start', async () => {
    await using stage = await openSuperviseStage(`${doneInLife(3)}\n[ "$life" = 3 ] || exit 1`);
    const run = await stage.supervise();

    expect(run.result, run.stderr).toMatchObject({ stop_reason: 'completed', restarts: 3 });
    expect(stage.lives()).toEqual(['1.1', '2.1', '3.1']);
    expect(bodiesOf(stage.messages(), 'INFO').slice(0, -1)).toEqual([0, 1, 2].map((n) => `starting root agent (restart #${n})`));
    expect(bodiesOf(stage.messages(), 'WARNING')).toEqual([0, 1].map((n) => `root agent failed on restart #${n}: agent reported failure`));
  });

  it('whatever the agent exits with', async () => {
    await using stage = await openSuperviseStage(`${doneInLife(1)}\nexit 9`);

    expect(await stage.supervise()).toMatchObject({ code: 0, result: { stop_reason: 'completed', restarts: 1 } });
  });

  it('before the start: the agent is never run, whatever is in DONE', async () => {
    await using stage = await openSuperviseStage('exit 1');
    await stage.put('DONE', 'not really\n');
    const run = await stage.supervise('--max-restarts', '0');

    expect(run, run.stderr).toMatchObject({ code: 0, result: { stop_reason: 'completed', restarts: 0 } });
    expect(stage.lives()).toEqual([]);
    expect(stage.projectMessages()).toHaveLength(1);
  });

  it('in the pause between two lives: there is no other life', async () => {
    await using stage = await openSuperviseStage('exit 1');
    const running = stage.begin('--restart-delay', '2s');
    await until('the first life is over', () => bodiesOf(stage.messages(), 'RUN_CRASH').length === 1);
    await stage.put('DONE');
    const run = await stage.over(running);

    expect(run, run.stderr).toMatchObject({ code: 0, result: { stop_reason: 'completed', restarts: 1 } });
    expect(stage.lives()).toEqual(['1.1']);
  });
});

describe.concurrent('the loop goes on without DONE:', () => {
  it('exit 0 never stops it', async () => {
    await using stage = await openSuperviseStage('exit 0');
    const run = await stage.supervise('--max-restarts', '3');

    expect(run, run.stderr).toMatchObject({ code: 1, result: { stop_reason: 'max_restarts', message: 'max restarts (3) exceeded', done: false, restarts: 3 } });
    expect(stage.lives()).toHaveLength(3);
    expect(bodiesOf(stage.messages(), 'ERROR')).toEqual(['task failed: max restarts (3) exceeded']);
    expect(stage.projectMessages()).toEqual([]);
  });

  it('and pauses between two lives, counted from the end of the first', async () => {
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

describe.concurrent('what no restart can mend stops it at once, exit 4:', () => {
  it('an agent that is not there, before anything is written', async () => {
    await using stage = await openSuperviseStage('');
    const run = await stage.supervise('--', join(stage.beside, 'nowhere'));

    expect(run).toMatchObject({ code: 4, result: { stop_reason: 'fatal', done: false, exit_code: 4 } });
    expect(run.stderr).toMatch(/^error: .*nowhere.*\nhint: .+\n$/);
    expect(existsSync(stage.task)).toBe(false);
  });

  it('an agent that nobody may execute', async () => {
    await using stage = await openSuperviseStage('');
    const run = await stage.supervise('--', join(stage.beside, 'agent.sh'));

    expect(run).toMatchObject({ code: 4, result: { stop_reason: 'fatal' } });
    expect(existsSync(stage.task)).toBe(false);
  });

  it.each([
    ['goes away', 'rm "$0"'],
    ['becomes forbidden', 'chmod 644 "$0"'],
  ])('an agent that %s after its first life; the one that never began does not count', async (_, harm) => {
    await using stage = await openSuperviseStage('');
    const agent = join(stage.beside, 'tool');
    await writeFile(agent, `#!/bin/sh\n${harm}\nexit 1\n`, { mode: 0o755 });
    const run = await stage.supervise('--', agent);

    expect(run, run.stderr).toMatchObject({ code: 4, result: { stop_reason: 'fatal', done: false, restarts: 1 } });
    expect(bodiesOf(stage.messages(), 'ERROR')).toHaveLength(1);
  });
});

describe.concurrent('the task folder', () => {
  it('lies where --root says, and an unnamed task gets a name, which is told', async () => {
    await using stage = await openSuperviseStage(doneInLife(1));
    const root = join(stage.beside, 'tasks');
    const run = await stage.ralph('supervise', '--root', root, '--json', '--', 'sh', join(stage.beside, 'agent.sh'));

    expect(run, run.stderr).toMatchObject({ code: 0, result: { project: 'place', task: expect.stringMatching(/^task-\d{8}-\d{6}-[0-9a-f]{6}$/) } });
    expect(run.stderr).toContain(run.result?.task);
    expect(existsSync(join(root, 'place', run.result?.task ?? '', 'DONE'))).toBe(true);
    expect(existsSync(join(stage.path, '.ralph', 'tasks'))).toBe(false);
  });

  it('may vanish under the agent: the run says so, and ends', async () => {
    await using stage = await openSuperviseStage('rm -rf "$TASK_FOLDER"');
    const run = await stage.supervise('--max-restarts', '2');

    expect(run, run.stderr).toMatchObject({ code: 4, result: { stop_reason: 'fatal', exit_code: 4 } });
    expect(run.stderr).toMatch(/error: The journal .* was deleted/);
  });

  it('in whose place a file stands is told in one line', async () => {
    await using stage = await openSuperviseStage('');
    await mkdir(stage.project, { recursive: true });
    await writeFile(stage.task, 'a file');
    const run = await stage.supervise();

    expect(run).toMatchObject({ code: 2, result: { stop_reason: 'fatal' } });
    expect(run.stderr).toMatch(/^error: .*a file stands where its folder should be\nhint: .+\n$/);
  });
});
