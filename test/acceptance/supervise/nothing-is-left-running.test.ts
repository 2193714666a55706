import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { deep, deepRows } from '../../support/deep.ts';
import { killPid } from '../../support/kill-pid.ts';
import { isRunning } from '../../support/live-processes.ts';
import { bodiesOf, doneInLife, eventsIn, HANGS, openSuperviseStage, type SuperviseStage } from '../../support/supervise-stage.ts';
import { until } from '../../support/until.ts';

// Every stage checks after each end of a supervisor that nothing is left running.

/** Outside of the group and the session, without its parent. */
const DAEMON = 'setsid sh -c \'sleep 600 & echo $! >"$1"\' daemon "$here/daemon" </dev/null >/dev/null 2>&1';
const isAlive = (stage: SuperviseStage, file: string) => isRunning(Number(readFileSync(join(stage.beside, file), 'utf8')));

describe.concurrent('nothing is left running of an agent that', () => {
  deep('what a process may leave or not hear is tested where it is stopped and swept', () => {
    it('starts a daemon and succeeds', async () => {
      await using stage = await openSuperviseStage(`${DAEMON}\n${doneInLife(1)}`);
      const run = await stage.supervise();

      expect(run, run.stderr).toMatchObject({ code: 0, result: { stop_reason: 'completed', restarts: 1 } });
      expect(isAlive(stage, 'daemon')).toBe(false);
    });

    it('closes its output, goes on running for a while and is done', async () => {
      await using stage = await openSuperviseStage(`exec >&- 2>&-\nsleep 0.5\n${doneInLife(1)}`);

      expect(await stage.supervise()).toMatchObject({ code: 0, result: { stop_reason: 'completed', restarts: 1 } });
    });

    it('writes DONE, hangs and ignores SIGTERM', async () => {
      await using stage = await openSuperviseStage(`trap '' TERM INT HUP\n${doneInLife(1)}\nwhile :; do sleep 0.1; done`);
      const run = await stage.supervise('--finish-on-done', '100ms');

      expect(run, run.stderr).toMatchObject({ code: 0, result: { stop_reason: 'completed', restarts: 1 } });
    });
  });

  it('starts a daemon and fails: the daemon ends before the next start', async () => {
    await using stage = await openSuperviseStage(
      `[ "$life" = 1 ] && { ${DAEMON}; exit 1; }\ngrep -qs 'State:.[RSD]' "/proc/$(cat "$here/daemon")/status" && : >"$here/still-there"\n${doneInLife(2)}`,
    );
    const run = await stage.supervise();

    expect(run, run.stderr).toMatchObject({ code: 0, result: { restarts: 2 } });
    expect(() => readFileSync(join(stage.beside, 'still-there'))).toThrow();
  });

  it('starts something without our marker in its environment', async () => {
    await using stage = await openSuperviseStage(`env -i sleep 600 </dev/null >/dev/null 2>&1 &\necho $! >"$here/daemon"\n${doneInLife(1)}`);
    const run = await stage.supervise();

    expect(run, run.stderr).toMatchObject({ code: 0 });
    expect(isAlive(stage, 'daemon')).toBe(false);
  });

  it('closes its output and goes on running: it counts as running and is stopped by its limit', async () => {
    await using stage = await openSuperviseStage('exec >&- 2>&-\nexec sleep 600');
    const run = await stage.supervise('--run-timeout', '1s', '--max-restarts', '1');

    expect(run, run.stderr).toMatchObject({ code: 1, result: { stop_reason: 'max_restarts', restarts: 1 } });
    expect(bodiesOf(stage.messages(), 'WARNING')).toEqual(['root agent failed on restart #0: timed out']);
  });

  it('leaves a process that keeps its output open: its end is still noticed', async () => {
    await using stage = await openSuperviseStage(`sleep 600 &\n${doneInLife(1)}`);
    const run = await stage.supervise();

    expect(run, run.stderr).toMatchObject({ code: 0, result: { stop_reason: 'completed', restarts: 1 } });
    expect(run.ms).toBeLessThan(30_000);
  });

  it('is killed from outside: that start has failed', async () => {
    await using stage = await openSuperviseStage(`[ "$life" = 2 ] && { : >"$TASK_FOLDER/DONE"; exit; }\necho $$ >"$here/pid"\n${HANGS}`);
    const running = stage.begin();
    await stage.made('busy');
    killPid(readFileSync(join(stage.beside, 'pid'), 'utf8'), 'SIGKILL');
    const run = await stage.over(running);

    expect(run, run.stderr).toMatchObject({ code: 0, result: { restarts: 2 } });
    expect(eventsIn(stage, 'attempt.ended')[0]).toMatchObject({ verdict: 'failed', ending: { kind: 'signalled', signal: 'SIGKILL' } });
    expect(bodiesOf(stage.messages(), 'RUN_CRASH')).toHaveLength(1);
  });

  it('writes DONE and hangs: it is stopped after --finish-on-done, and the task is done', async () => {
    await using stage = await openSuperviseStage(`${doneInLife(1)}\n${HANGS}`);
    const run = await stage.supervise('--finish-on-done', '300ms');

    expect(run, run.stderr).toMatchObject({ code: 0, result: { stop_reason: 'completed', restarts: 1 } });
    expect(run.ms).toBeLessThan(20_000);
    expect(bodiesOf(stage.messages(), 'RUN_CRASH')).toEqual([]);
  });

  it('writes DONE, removes it and continues: it is not stopped', async () => {
    await using stage = await openSuperviseStage(`: >"$TASK_FOLDER/DONE"\nsleep 0.3\nrm "$TASK_FOLDER/DONE"\nsleep 2\n: >"$TASK_FOLDER/DONE"`);
    const run = await stage.supervise('--finish-on-done', '1s');

    expect(run, run.stderr).toMatchObject({ code: 0, result: { stop_reason: 'completed', restarts: 1 } });
    expect(eventsIn(stage, 'attempt.ended')).toMatchObject([{ ending: { kind: 'exited', code: 0 } }]);
  });
});

const signals = [
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const;

describe.concurrent('nothing is left running after', () => {
  it.each(signals)('%s while the agent runs; it can be resumed', async (signal, code) => {
    await using stage = await openSuperviseStage(`[ "$life" = 2 ] && { : >"$TASK_FOLDER/DONE"; exit; }\n${DAEMON}\n${HANGS}`);
    const running = stage.begin('--max-restarts', '1');
    await stage.made('busy');
    running.child.kill(signal);
    const run = await stage.over(running);
    const resumed = await stage.ralph('runs', 'resume', '--json');

    expect(run, run.stderr).toMatchObject({ code, result: { stop_reason: 'interrupted', message: `Stopped by ${signal}`, done: false, restarts: 0 } });
    expect(bodiesOf(stage.messages(), 'WARNING')).toContain(`task interrupted: Stopped by ${signal}`);
    // An interrupted start does not count.
    expect(resumed, resumed.stderr).toMatchObject({ code: 0, result: { stop_reason: 'completed', restarts: 1 } });
    expect(stage.lives()).toEqual(['1.1', '2.1']);
  });

  it.each(deepRows('both signals end a life above, and a pause is no other place', signals, 1))('%s in the pause between two lives', async (signal, code) => {
    await using stage = await openSuperviseStage('exit 1');
    const running = stage.begin('--restart-delay', '10m');
    await until('the first life is over', () => bodiesOf(stage.messages(), 'RUN_CRASH').length === 1);
    running.child.kill(signal);
    const run = await stage.over(running);

    expect(run, run.stderr).toMatchObject({ code, result: { stop_reason: 'interrupted', restarts: 1 } });
    expect(run.ms).toBeLessThan(20_000);
    expect(stage.lives()).toEqual(['1.1']);
  });

  it.each(deepRows('both signals end a life above, and waiting is no other place', signals, 1))('%s while other tasks are waited for', async (signal, code) => {
    await using stage = await openSuperviseStage('exit 0');
    const running = stage.begin('--depends-on', 'another-task');
    await until('it waits', () => bodiesOf(stage.messages(), 'PROGRESS').length === 1);
    running.child.kill(signal);

    expect(await stage.over(running)).toMatchObject({ code, result: { stop_reason: 'interrupted', restarts: 0 } });
    expect(stage.lives()).toEqual([]);
  });

  it('SIGINT while a check runs', async () => {
    await using stage = await openSuperviseStage(doneInLife(1));
    const running = stage.begin('--check', `touch ${join(stage.beside, 'checking')}; sleep 600`);
    await stage.made('checking');
    running.child.kill('SIGINT');

    expect(await stage.over(running)).toMatchObject({ code: 130, result: { stop_reason: 'interrupted', done: false } });
    expect(stage.projectMessages()).toEqual([]);
  });

  it('a second SIGINT, which stops everything at once', async () => {
    await using stage = await openSuperviseStage(HANGS, { settings: {} });
    const running = stage.begin();
    await stage.made('busy');
    running.child.kill('SIGINT');
    await until('it drains', () => running.stderr().includes('shutting down'));
    running.child.kill('SIGINT');
    const run = await stage.over(running);

    expect(run, run.stderr).toMatchObject({ code: 130, result: { stop_reason: 'interrupted' } });
    expect(run.ms).toBeLessThan(30_000);
  });

  it('SIGINT, if the agent gets done within the grace time: the task is done', async () => {
    await using stage = await openSuperviseStage(`: >"$here/busy"\nwhile [ ! -e "$here/go" ]; do sleep 0.05; done\n${doneInLife(1)}`, { settings: {} });
    const running = stage.begin('--check', 'true');
    await stage.made('busy');
    running.child.kill('SIGINT');
    await until('it drains', () => running.stderr().includes('shutting down'));
    await stage.make('go');

    expect(await stage.over(running)).toMatchObject({ code: 0, result: { stop_reason: 'completed', done: true, unproven: false } });
    expect(stage.projectMessages()).toHaveLength(1);
  });

  it('SIGINT to the whole group, as from a terminal', async () => {
    await using stage = await openSuperviseStage(HANGS);
    const running = stage.begin();
    await stage.made('busy');
    process.kill(-(running.child.pid ?? Number.NaN), 'SIGINT');

    expect(await stage.over(running)).toMatchObject({ code: 130, result: { stop_reason: 'interrupted' } });
  });
});
