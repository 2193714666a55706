import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { openChildrenStage } from '../../support/children-stage.ts';
import { skipLoudly } from '../../support/skip-loudly.ts';
import { endOf } from '../../support/stage.ts';
import { until } from '../../support/until.ts';

describe('children under stress:', () => {
  it('twelve at once are all started, each once', async () => {
    await using stage = await openChildrenStage();
    const { code } = await stage.supervise(`
      const ended = await Promise.all(Array.from({ length: 12 }, (_, n) => ralph('job', ...child('echo child-' + n + ' >> notes; echo done'))));
      for (const { code, stderr } of ended) if (code !== 0) throw new Error(stderr);
      done();
    `);
    expect(code).toBe(0);
    expect(stage.notes()).toEqual(Array.from({ length: 12 }, (_, n) => `child-${n}`).sort());
    expect(stage.runs()).toHaveLength(13);
    expect(stage.processes()).toEqual([]);
  });

  it.skipIf(skipLoudly(whyNoNamespace()))('a root agent in its own pid namespace can have them', async () => {
    await using stage = await openChildrenStage();
    const { code } = await stage.supervise(`
      if (!process.env.INSIDE) {
        const inside = spawn('unshare', ['-fp', '--mount-proc', process.execPath, 'root.mjs'], { stdio: 'inherit', env: { ...process.env, INSIDE: '1' } });
        await once(inside, 'exit');
        process.exit(0);
      }
      const { code, stderr } = await ralph('job', ...child('echo "from $RALPH_PARENT_RUN_ID" >> notes; echo done'));
      if (code !== 0) throw new Error(stderr);
      await ralph('job', '--detach', ...child('sleep 1; echo late >> notes; echo done'));
      done();
    `);
    expect(code).toBe(0);
    expect(stage.notes()).toEqual([`from ${stage.runs()[0]?.run}`, 'late']);
    expect(stage.processes()).toEqual([]);
  });

  it('a supervisor that is killed while it starts them continues its task, and none of them runs twice', async () => {
    await using stage = await openChildrenStage();
    const running = await stage.begin(`
      if (existsSync('again')) {
        done();
        process.exit(0);
      }
      for (let n = 0; n < 50; n += 1) await ralph('job', '--detach', ...child('echo child-' + n + ' >> notes; while [ ! -e again ]; do sleep 0.1; done; echo done'));
    `);
    await until('two have begun', () => stage.notes().length >= 2);
    running.child.kill('SIGKILL');
    await running.ended;
    await until('nothing is left', () => stage.processes().length === 0, 30_000);
    const before = stage.notes();
    await stage.make('again');
    const resumed = await stage.ralph(['runs', 'resume', stage.runs()[0]?.run ?? '']);
    expect(resumed.code).toBe(0);
    expect(stage.notes().filter((note) => before.includes(note))).toEqual(before);
    expect(new Set(stage.notes()).size).toBe(stage.notes().length);
    await until('nothing is left', () => stage.processes().length === 0, 30_000);
  });

  it('one whose journal cannot be created is refused, and its supervisor continues', async () => {
    await using stage = await openChildrenStage();
    const running = await stage.begin(`
      writeFileSync(process.env.TASK_FOLDER + '/../blocked', 'a file');
      const { code, stderr } = await ralph('job', '--task', 'blocked', ...child('echo done'));
      console.log(stderr);
      if (code === 4) done();
    `);
    expect((await endOf(running)).code).toBe(0);
    expect(stage.processes()).toEqual([]);
  });
});

function whyNoNamespace(): string | null {
  try {
    execFileSync('sh', ['-c', 'unshare -fp --mount-proc true'], { stdio: 'ignore' });
    return null;
  } catch {
    return 'a root agent in a pid namespace: unshare may not make one here';
  }
}
