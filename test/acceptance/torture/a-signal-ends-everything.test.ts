import { describe, expect, it } from 'vitest';
import { bash, CLAIM, ends, type Step, stay, until as stepUntil, tool, turn } from '../../support/claude-script.ts';
import { deepRows } from '../../support/deep.ts';
import type { RunningRalph } from '../../support/ralph.ts';
import { endOf, iterationsOf, journalOf, openStage, type Stage, WORK, WORKED } from '../../support/stage.ts';
import { until } from '../../support/until.ts';

const hangs = turn(tool('exec sleep 600'), bash('touch ../beside/busy'), stay);
const waitsForUs = (...last: readonly Step[]) => turn(bash(WORK), bash('touch ../beside/busy'), stepUntil('../beside/go'), ...last);
const shortGrace = { settings: { shutdownGrace: { sigterm: '1s', sigint: '1s' } } };

/** A loop whose agent and a tool of the agent are running. */
async function startBusy(stage: Stage, ...more: readonly string[]): Promise<RunningRalph> {
  const running = stage.start(...more);
  await stage.made('busy');
  return running;
}

const isDraining = (running: RunningRalph) => until('it drains', () => running.stderr().includes('shutting down'));

describe.concurrent('the first signal', () => {
  const signals = [
    ['SIGTERM', 143],
    ['SIGHUP', 129],
    ['SIGINT', 130],
  ] as const;
  it.each(deepRows('the signals differ in their exit code only', signals, 2))(
    '%s to the loop alone lets the agent finish within the grace, then ends it and all it started, exit %i',
    async (signal, code) => {
      await using stage = await openStage([hangs], shortGrace);
      const running = await startBusy(stage);
      running.child.kill(signal);
      const run = await endOf(running);

      expect(run.code).toBe(code);
      expect(run.result).toMatchObject({ stop_reason: 'interrupted', message: `Stopped by ${signal}`, done: false, exit_code: code, iterations: 1 });
      expect(iterationsOf(run)).toEqual(['abandoned']);
      expect(run.stderr).toMatch(/Received signal, shutting down.*Waiting up to 1s.*Stopping now/s);
      expect(stage.after()).toEqual({ calls: 1, commits: 1, changed: [], processes: [] });
    },
  );

  it('SIGTERM to the whole group does the same', async () => {
    await using stage = await openStage([hangs], shortGrace);
    const running = await startBusy(stage);
    process.kill(-(running.child.pid ?? Number.NaN), 'SIGTERM');
    const run = await endOf(running);

    expect(run.code).toBe(143);
    expect(run.result).toMatchObject({ stop_reason: 'interrupted', done: false });
    expect(stage.after()).toEqual({ calls: 1, commits: 1, changed: [], processes: [] });
  });

  it('SIGTERM stops a gate that hangs', async () => {
    await using stage = await openStage([turn(...ends(CLAIM))], { ...shortGrace, gate: 'touch ../beside/busy; sleep 600' });
    const running = await startBusy(stage);
    running.child.kill('SIGTERM');
    const run = await endOf(running);

    expect(run.code).toBe(143);
    expect(run.result).toMatchObject({ stop_reason: 'interrupted', done: false });
    expect(stage.after()).toEqual({ calls: 1, commits: 1, changed: [], processes: [] });
  });

  it('SIGTERM while a gate runs costs the resumed run no iteration, and the agent gets no false failure', async () => {
    const gate = 'if [ -e ../beside/busy ]; then sh check.sh; else touch ../beside/busy; sleep 600; fi';
    await using stage = await openStage([turn(...ends(CLAIM)), turn(bash(WORK), ...ends(CLAIM))], { ...shortGrace, gate });
    const running = await startBusy(stage, '-m', '1', '--proof', 'off');
    running.child.kill('SIGTERM');
    expect(iterationsOf(await endOf(running))).toEqual(['abandoned']);
    const resumed = await stage.ralph('run', '--resume', '--json');

    expect(resumed.code).toBe(0);
    expect(resumed.result).toMatchObject({ stop_reason: 'completed', iterations: 2 });
    expect(stage.calls().map(({ prompt }) => prompt.includes('Guardrail'))).toEqual([false, false]);
    expect(stage.after()).toEqual({ calls: 2, commits: 1, changed: WORKED, processes: [] });
  });

  it('waits for the running agent, runs the gates, and starts nothing new: exit code 130', async () => {
    await using stage = await openStage([waitsForUs(...ends('work.txt is written.'))]);
    const running = await startBusy(stage);
    running.child.kill('SIGINT');
    await isDraining(running);
    await stage.make('go');
    const run = await endOf(running);

    expect(run.code).toBe(130);
    expect(run.result).toMatchObject({ stop_reason: 'interrupted', done: false, iterations: 1, attempts: 1, cost_usd: 0.01 });
    expect(iterationsOf(run)).toEqual(['green']);
    expect(run.stderr).toContain('Stopped by SIGINT');
    expect(stage.after()).toEqual({ calls: 1, commits: 1, changed: WORKED, processes: [] });
  });

  it('does not fail a run that gets done meanwhile: exit code 0', async () => {
    await using stage = await openStage([waitsForUs(...ends(CLAIM))]);
    const running = await startBusy(stage);
    running.child.kill('SIGINT');
    await isDraining(running);
    await stage.make('go');
    const run = await endOf(running);

    expect(run.code).toBe(0);
    expect(run.result).toMatchObject({ stop_reason: 'completed', done: true, iterations: 1 });
    expect(stage.after()).toEqual({ calls: 1, commits: 1, changed: WORKED, processes: [] });
  });
});

it.concurrent('SIGTERM is over before docker stop kills, also with an agent that ignores it and with the usual grace', async () => {
  await using stage = await openStage([], { files: { 'deaf.sh': 'trap "" INT TERM; : >../beside/busy; while :; do sleep 1; done\n' } });
  const deaf = ['--agent', 'sh deaf.sh', '--agent-kind', 'claude', '--no-preflight', '--json'];
  const running = stage.begin('run', '-p', 'Do the work.', ...deaf);
  await stage.made('busy');
  running.child.kill('SIGTERM');
  const run = await endOf(running);

  expect(run, run.stderr).toMatchObject({ code: 143, result: { stop_reason: 'interrupted', message: 'Stopped by SIGTERM' } });
  expect(stage.processes()).toEqual([]);
  const atMs = (isMeant: (line: Record<string, unknown>) => boolean) => Number(journalOf(run).find(isMeant)?.['at']);
  const heard = (what: string) => atMs(({ type, what: asked }) => type === 'operator.asked' && asked === what);
  // By the journal, which a busy machine delays less than the start and the end of a process.
  expect(heard('abort') - heard('drain')).toBeGreaterThanOrEqual(990);
  expect(atMs(({ type }) => type === 'run.stopped') - heard('drain')).toBeLessThan(9_500);
});

describe.concurrent('the second signal', () => {
  it('stops everything at once: exit code 130', async () => {
    await using stage = await openStage([hangs]);
    const running = await startBusy(stage);
    running.child.kill('SIGINT');
    await isDraining(running);
    const secondMs = performance.now();
    running.child.kill('SIGINT');
    const run = await endOf(running);

    expect(run.code).toBe(130);
    expect(run.result).toMatchObject({ stop_reason: 'interrupted', message: 'Stopped by SIGINT', done: false });
    expect(iterationsOf(run)).toEqual(['abandoned']);
    // The grace time of a first signal would be a minute.
    expect(performance.now() - secondMs).toBeLessThan(20_000);
    expect(stage.after()).toEqual({ calls: 1, commits: 1, changed: [], processes: [] });
  });
});
