import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { bodiesOf, doneInLife, openSuperviseStage, type SuperviseStage } from '../../support/supervise-stage.ts';
import { until } from '../../support/until.ts';

const blocked = (stage: SuperviseStage) => until('it waits', () => bodiesOf(stage.messages(), 'PROGRESS').length > 0);

/** Another task of the project, as a folder. */
async function putTask(stage: SuperviseStage, task: string, file: string, text = ''): Promise<void> {
  await mkdir(join(stage.project, task), { recursive: true });
  await writeFile(join(stage.project, task, file), text);
}

describe.concurrent('a task that depends on another', () => {
  it('waits until it is done, and posts that to its bus', async () => {
    await using stage = await openSuperviseStage(doneInLife(1));
    const running = stage.begin('--depends-on', 'first', '--depends-on', 'second, first');
    await blocked(stage);
    await putTask(stage, 'first', 'DONE');
    await until('one less is waited for', () => bodiesOf(stage.messages(), 'PROGRESS').length === 2);
    const lives = stage.lives();
    await putTask(stage, 'second', 'DONE');
    const run = await stage.over(running);

    expect(lives).toEqual([]);
    expect(run, run.stderr).toMatchObject({ code: 0, result: { stop_reason: 'completed', restarts: 1 } });
    expect(bodiesOf(stage.messages(), 'PROGRESS')).toEqual(['task blocked by dependencies: first, second', 'task blocked by dependencies: second']);
    expect(bodiesOf(stage.messages(), 'FACT')).toEqual(['dependencies satisfied; starting task']);
    expect(await readFile(join(stage.task, 'TASK-CONFIG.yaml'), 'utf8')).toMatch(/depends_on:\s+- first\s+- second/);
  });

  it('starts at once if it is already done, and remembers its dependencies', async () => {
    await using stage = await openSuperviseStage('exit 0');
    await putTask(stage, 'first', 'DONE');
    const run = await stage.supervise('--depends-on', 'first', '--max-restarts', '1');
    await putTask(stage, 'second', 'TASK.md');
    await stage.put('TASK-CONFIG.yaml', '# mine\nowner: ann\ndepends_on: [second]\n');
    const waiting = stage.begin('--max-restarts', '1');
    await blocked(stage);
    waiting.child.kill('SIGINT');

    expect(run, run.stderr).toMatchObject({ code: 1, result: { restarts: 1 } });
    expect(await stage.over(waiting)).toMatchObject({ code: 130, result: { restarts: 0 } });
    expect(stage.lives()).toEqual(['1.1']);
  });

  it('waits for a failed one, because it may be fixed', async () => {
    await using stage = await openSuperviseStage('[ "$RALPH_TASK_ID" = first ] && [ ! -e "$here/mended" ] && exit 1\n: >"$TASK_FOLDER/DONE"');
    const failed = await stage.supervise('--task', 'first', '--max-restarts', '1');
    const running = stage.begin('--depends-on', 'first');
    await blocked(stage);
    await stage.make('mended');
    const mended = await stage.start('supervise', '--project', 'demo', '--task', 'first', '--json', '--', 'sh', join(stage.beside, 'agent.sh')).ended;
    const run = await stage.over(running);

    expect(failed, failed.stderr).toMatchObject({ code: 1 });
    expect(mended, mended.stderr).toMatchObject({ code: 0 });
    expect(run, run.stderr).toMatchObject({ code: 0, result: { stop_reason: 'completed' } });
  });

  it('stops with exit code 3 if it has failed and --fail-on-blocked is given', async () => {
    await using stage = await openSuperviseStage('exit 1');
    await stage.supervise('--task', 'first', '--max-restarts', '1');
    const run = await stage.supervise('--depends-on', 'first', '--fail-on-blocked');

    expect(run, run.stderr).toMatchObject({ code: 3, result: { stop_reason: 'blocked', message: 'task blocked by failed dependencies: first', restarts: 0 } });
    expect(bodiesOf(stage.messages(), 'ERROR')).toEqual(['task failed: task blocked by failed dependencies: first']);
  });

  it('is not blocked by a later failure', async () => {
    await using stage = await openSuperviseStage(doneInLife(2));
    await putTask(stage, 'first', 'DONE');

    expect(await stage.supervise('--depends-on', 'first', '--fail-on-blocked')).toMatchObject({ code: 0, result: { restarts: 2 } });
  });

  it('does not run if it is done itself, whatever it depends on', async () => {
    await using stage = await openSuperviseStage('exit 1');
    await stage.put('DONE');

    expect(await stage.supervise('--depends-on', 'first')).toMatchObject({ code: 0, result: { stop_reason: 'completed', restarts: 0 } });
  });

  it('accepts a DONE that a person writes while it waits', async () => {
    await using stage = await openSuperviseStage('exit 1');
    const running = stage.begin('--depends-on', 'first');
    await blocked(stage);
    await stage.put('DONE');

    expect(await stage.over(running)).toMatchObject({ code: 0, result: { stop_reason: 'completed', restarts: 0 } });
  });
});

describe.concurrent('a task that could never start is refused with exit code 2:', () => {
  it('a task that depends on itself', async () => {
    await using stage = await openSuperviseStage('');
    const run = await stage.supervise('--depends-on', 'the-task');

    expect(run).toMatchObject({ code: 2, result: { stop_reason: 'fatal' } });
    expect(run.stderr).toMatch(/^error: task the-task cannot depend on itself\nhint: .+\n$/);
  });

  it('a cycle', async () => {
    await using stage = await openSuperviseStage('');
    await putTask(stage, 'first', 'TASK-CONFIG.yaml', 'depends_on: [second]\n');
    await putTask(stage, 'second', 'TASK-CONFIG.yaml', 'depends_on:\n  - the-task\n');
    const run = await stage.supervise('--depends-on', 'first');

    expect(run).toMatchObject({ code: 2 });
    expect(run.stderr).toMatch(/^error: dependency cycle detected: the-task -> first -> second -> the-task\nhint: .+\n$/);
    expect(stage.lives()).toEqual([]);
  });

  it.each([
    ['a name that leads elsewhere', 'depends_on: ["../../etc"]\n'],
    ['a value that is not a list', 'depends_on: {a: b}\n'],
    ['invalid YAML', 'depends_on: [\n'],
  ])('a configuration with %s', async (_, text) => {
    await using stage = await openSuperviseStage('');
    await stage.put('TASK-CONFIG.yaml', text);
    const run = await stage.supervise();

    expect(run).toMatchObject({ code: 2 });
    expect(run.stderr).toMatch(/^error: cannot use .*TASK-CONFIG\.yaml: .*\nhint: .+\n$/);
  });
});
