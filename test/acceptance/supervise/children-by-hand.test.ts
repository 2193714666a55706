import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openChildrenStage } from '../../support/children-stage.ts';

const child = (line: string) => ['--', 'sh', '-c', line];

describe('a job outside of any loop', () => {
  it('is a run without a parent in a task folder', async () => {
    await using stage = await openChildrenStage();
    const { code, result } = await stage.ralph(['job', '--json', '--project', 'p', '--task', 'work', ...child('echo "$RALPH_TASK_ID" >> notes; echo done')]);
    expect(code).toBe(0);
    expect(result).toMatchObject({ recipe: 'job', done: true, unproven: true, exit_code: 0, stop_reason: 'completed' });
    expect(stage.notes()).toEqual(['work']);
    expect(stage.runs().map(({ parent, folder }) => ({ parent, folder }))).toEqual([{ parent: null, folder: result?.run_folder }]);
    expect(stage.processes()).toEqual([]);
  });

  it('fails with its agent, and with a red check', async () => {
    await using stage = await openChildrenStage();
    const where = ['--project', 'p', '--task', 'work', '--quiet'];
    expect((await stage.ralph(['job', ...where, ...child('echo no; exit 3')])).code).toBe(1);
    expect((await stage.ralph(['job', ...where, '--check', 'test -e there', ...child('echo done')])).code).toBe(1);
    expect((await stage.ralph(['job', ...where, '--check', 'test -e there', ...child(': > there; echo done')])).code).toBe(0);
  });

  it('that failed cannot be resumed', async () => {
    await using stage = await openChildrenStage();
    await stage.ralph(['job', '--project', 'p', '--task', 'work', '--quiet', ...child('echo no; exit 3')]);
    const { code, stderr } = await stage.ralph(['runs', 'resume']);
    expect(code).toBe(2);
    expect(stderr).toMatch(
      /^error: run \S+ has used up its restarts \(.*code 3\); there is nothing to resume\nhint: Start a new one with: ralph job --project p --task work\n$/,
    );
  });

  it('starts children and waits for them', async () => {
    await using stage = await openChildrenStage();
    const { code } = await stage.ralph([
      'job',
      '--project',
      'p',
      '--task',
      'work',
      ...child('ralph job --detach -- sh -c "sleep 1; echo child >> notes; echo done"; echo done'),
    ]);
    expect(code).toBe(0);
    expect(stage.notes()).toEqual(['child']);
    const [parent, young] = stage.runs();
    expect(young?.parent).toBe(parent?.run);
    expect(stage.processes()).toEqual([]);
  });

  it('cannot be detached without a loop', async () => {
    await using stage = await openChildrenStage();
    const { code, stderr } = await stage.ralph(['job', '--detach', ...child('echo done')]);
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: 'error: --detach needs a loop that starts the job, and there is none here\nhint: Leave it out, or call it from an agent of ralph supervise.\n',
    });
  });
});

describe('a job of an agent whose loop has died', () => {
  it('runs in its own process, with the task and the parent of that agent', async () => {
    await using stage = await openChildrenStage();
    const { code } = await stage.ralph(['job', '--quiet', ...child('echo "$RALPH_TASK_ID $RALPH_PARENT_RUN_ID" >> notes; echo done')], {
      RALPH_SOCKET: join(stage.path, 'nobody.sock'),
      RALPH_TASK_FOLDER: join(stage.path, '.ralph/tasks/p/work'),
      RALPH_PROJECT_ID: 'p',
      RALPH_TASK_ID: 'work',
      RALPH_RUN_ID: 'the-parent',
    });
    expect(code).toBe(0);
    expect(stage.notes()).toEqual(['work the-parent']);
    expect(stage.runs().map(({ parent }) => parent)).toEqual(['the-parent']);
  });
});

describe('a job that an agent requests from its loop', () => {
  it('that cannot start is refused with the error of the child, and the root agent continues', async () => {
    await using stage = await openChildrenStage();
    const { code } = await stage.supervise(`
      const { code, stderr } = await ralph('job', '-p', 'Do it.', '--agent', 'no-such-agent');
      writeFileSync('refused', code + ' ' + stderr);
      done();
    `);
    expect(code).toBe(0);
    expect(readFileSync(join(stage.path, 'refused'), 'utf8')).toMatch(/^4 error: the job was not started: .*no-such-agent.*\nhint: /);
    expect(stage.runs()).toHaveLength(1);
  });

  it('shows its output with --follow, and its result as JSON', async () => {
    await using stage = await openChildrenStage();
    await stage.supervise(`
      const { code, stdout, stderr } = await ralph('job', '--follow', '--json', ...child('echo one fish; sleep 0.3; echo two fish'));
      writeFileSync('followed', JSON.stringify({ code, result: JSON.parse(stdout), stderr }));
      done();
    `);
    const { code, result, stderr } = JSON.parse(readFileSync(join(stage.path, 'followed'), 'utf8'));
    expect(code).toBe(0);
    expect(stderr).toMatch(/one fish[\s\S]*two fish/);
    expect(result).toMatchObject({ recipe: 'job', done: true, run_id: stage.runs()[1]?.run, run_folder: stage.runs()[1]?.folder });
  });

  it('gets its prompt unchanged', async () => {
    await using stage = await openChildrenStage();
    const { code } = await stage.supervise(`
      const prompt = '--help\\n---\\n"\\'$HOME ünï ' + 'x'.repeat(300_000);
      writeFileSync('prompt.md', prompt);
      const { code, stderr } = await ralph('job', '-f', 'prompt.md', ...child('cat > got; echo done'));
      if (code !== 0) throw new Error(stderr);
      done();
    `);
    expect(code).toBe(0);
    const asked = readFileSync(join(stage.path, 'prompt.md'), 'utf8');
    expect(readFileSync(join(stage.path, 'got'), 'utf8').endsWith(asked)).toBe(true);
  });

  it('has the requested limits', async () => {
    await using stage = await openChildrenStage();
    await stage.supervise(`
      const { code } = await ralph('job', '--idle-timeout', '200ms', ...child('sleep 600'));
      writeFileSync('ended', String(code));
      done();
    `);
    expect(readFileSync(join(stage.path, 'ended'), 'utf8')).toBe('1');
  });

  it('cannot use what its loop does not know', async () => {
    await using stage = await openChildrenStage();
    await stage.supervise(`
      const { code, stderr } = await ralph('job', '--autonomy', 'ask', ...child('echo done'));
      writeFileSync('refused', code + ' ' + stderr);
      done();
    `);
    expect(readFileSync(join(stage.path, 'refused'), 'utf8')).toMatch(/^2 error: .*--autonomy cannot be used\n/);
  });
});
