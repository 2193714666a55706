import { describe, expect, it } from 'vitest';
import { openChildrenStage, startedBy } from '../../support/children-stage.ts';
import { killPid } from '../../support/kill-pid.ts';
import { endOf } from '../../support/stage.ts';
import { until } from '../../support/until.ts';

describe('a root agent that starts children', () => {
  it('runs with them at the same time, learns how each ended, and the task is done when all are', async () => {
    await using stage = await openChildrenStage();
    const { code, result } = await stage.supervise(`
      const ended = await Promise.all(['one', 'two', 'three'].map((name) =>
        ralph('job', ...child('echo ' + name + ' >> notes; echo done; [ ' + name + ' != two ]'))));
      console.log(JSON.stringify(ended.map(({ code }) => code)));
      if (JSON.stringify(ended.map(({ code }) => code)) === '[0,1,0]') done();
    `);
    expect({ code, stop: result?.stop_reason }).toEqual({ code: 0, stop: 'completed' });
    expect(stage.notes()).toEqual(['one', 'three', 'two']);
    const [root, ...children] = stage.runs();
    expect(children.map(({ parent, stopReason }) => [parent, stopReason]).sort()).toEqual([
      [root?.run, 'completed'],
      [root?.run, 'completed'],
      [root?.run, 'max_iterations'],
    ]);
    expect(stage.processes()).toEqual([]);
  });

  it('may detach them; a supervisor that is done waits for them', async () => {
    await using stage = await openChildrenStage();
    const running = await stage.begin(`
      for (const name of ['one', 'two', 'three']) {
        const { code, stdout } = await ralph('job', '--detach', ...child('while [ ! -e go ]; do sleep 0.05; done; echo ' + name + ' >> notes; echo done'));
        if (code !== 0 || !/^[\\w-]+\\n$/.test(stdout)) throw new Error(stdout);
      }
      done();
    `);
    await until('the children are waited for', () => /waiting for 3 children to complete/.test(running.stderr()));
    expect(stage.notes()).toEqual([]);
    await stage.make('go');
    expect((await endOf(running)).code).toBe(0);
    expect(stage.notes()).toEqual(['one', 'three', 'two']);
    expect(stage.processes()).toEqual([]);
  });

  it('loses none when the process that waits for it is killed', async () => {
    await using stage = await openChildrenStage();
    const { code } = await stage.supervise(`
      const client = start('job', ...child('make() { : > "$1"; }; make up; while [ ! -e go ]; do sleep 0.05; done; echo survived >> notes; echo done'));
      await made('up');
      client.kill('SIGKILL');
      await once(client, 'exit');
      make('go');
      done();
    `);
    expect(code).toBe(0);
    expect(stage.notes()).toEqual(['survived']);
  });

  it('may end while one is running, and still has it after a restart', async () => {
    await using stage = await openChildrenStage();
    const { code, result } = await stage.supervise(
      `
      if (!existsSync('up')) {
        start('job', ...child(': > up; while [ ! -e go ]; do sleep 0.05; done; echo survived >> notes; echo done'));
        await made('up');
        process.exit(0);
      }
      make('go');
      done();
    `,
      '--restart-delay',
      '10ms',
    );
    expect({ code, lives: result?.iterations }).toEqual({ code: 0, lives: 2 });
    expect(stage.notes()).toEqual(['survived']);
  });

  it('may have grandchildren: the same loop starts them, they outlive the agent of the child, and the loop waits for them', async () => {
    await using stage = await openChildrenStage();
    const { code } = await stage.supervise(`
      const grandchild = 'while [ ! -e go ]; do sleep 0.05; done; echo grandchild >> notes; echo done';
      const { code, stderr } = await ralph('job', ...child('ralph job --detach -- sh -c "' + grandchild + '"; echo child >> notes; : > go; echo done'));
      if (code !== 0) throw new Error(stderr);
      if (!readFileSync('notes', 'utf8').includes('grandchild')) throw new Error('the child did not wait');
      done();
    `);
    expect(code).toBe(0);
    expect(stage.notes()).toEqual(['child', 'grandchild']);
    const [root, child, grandchild] = stage.runs();
    expect([child?.parent, grandchild?.parent]).toEqual([root?.run, child?.run]);
    expect(root && startedBy(root)).toEqual([child?.run, grandchild?.run]);
    expect(stage.processes()).toEqual([]);
  });

  it('learns of a killed child, and nothing of that child is left running', async () => {
    await using stage = await openChildrenStage();
    const running = await stage.begin(`
      const { code, stderr } = await ralph('job', ...child(': > up; sleep 1000'));
      console.log('the child: ' + code + ' ' + stderr);
      make('heard-' + code);
      done();
    `);
    await stage.made('up');
    killPid(stage.runs()[1]?.pid, 'SIGKILL');
    await stage.made('heard-1');
    expect((await endOf(running)).code).toBe(0);
    await until('all is gone', () => stage.processes().length === 0);
  });

  it('may start one in another task, and the loop waits for it with --wait-scope project', async () => {
    await using stage = await openChildrenStage();
    const { code } = await stage.supervise(
      `
      const { code, stderr } = await ralph('job', '--detach', '--task', 'other', ...child('sleep 1; echo "$RALPH_TASK_ID $TASK_FOLDER" >> notes; echo done'));
      if (code !== 0) throw new Error(stderr);
      done();
    `,
      '--wait-scope',
      'project',
    );
    expect(code).toBe(0);
    expect(stage.notes()).toEqual([`other ${stage.path}/.ralph/tasks/p/other`]);
    expect(stage.runs('other').map(({ parent }) => parent)).toEqual([stage.runs()[0]?.run]);
  });
});

describe('a child that stays too long', () => {
  const root = `
    await ralph('job', '--detach', ...child(': > up; sleep 1000'));
    await made('up');
    done();
  `;

  it('is not stopped and is reported', async () => {
    await using stage = await openChildrenStage();
    const { code, result, stderr } = await stage.supervise(root, '--wait-timeout', '300ms');
    expect(code).toBe(0);
    expect(stderr).toMatch(/timeout waiting for children/);
    expect(result).toMatchObject({ done: true, children: [stage.runs()[1]?.run] });
    expect(stage.processes().length).toBeGreaterThan(0);
  });

  it('is stopped with --kill-children', async () => {
    await using stage = await openChildrenStage();
    const { code } = await stage.supervise(root, '--wait-timeout', '300ms', '--kill-children');
    expect(code).toBe(0);
    expect(stage.runs()[1]?.stopReason).toBe('interrupted');
    expect(stage.processes()).toEqual([]);
  });
});
