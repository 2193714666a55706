import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { bash, CLAIM, ends, turn } from '../../support/claude-script.ts';
import { judgedGates } from '../../support/judged-gates.ts';
import { endOf, iterationsOf, openStage, type Stage, WORK, WORKED } from '../../support/stage.ts';
import { until } from '../../support/until.ts';

const idles = turn(...ends('Not there yet.'));
const works = turn(bash(WORK), ...ends(CLAIM));

describe.concurrent('a signal while a guardrail runs', () => {
  const waits = 'touch ../beside/busy; until [ -e ../beside/go ]; do sleep 0.05; done; echo finished';
  const busy = async (stage: Stage, ...more: readonly string[]) => {
    const running = stage.start(...more);
    await stage.made('busy');
    return running;
  };

  it.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const)('%s lets it and the remaining ones finish, and starts no iteration: exit code %i', async (signal, code) => {
    await using stage = await openStage([idles], {
      gate: null,
      settings: { guardrails: [{ command: `${waits}; exit 1` }, { command: 'touch ../beside/second' }], shutdownGrace: { sigterm: '60s' } },
    });
    const running = await busy(stage);
    running.child.kill(signal);
    await until('it says so', () => running.stderr().includes('Received signal, shutting down...'));
    await stage.make('go');
    const run = await endOf(running);

    expect(run.code).toBe(code);
    expect(run.result).toMatchObject({ stop_reason: 'interrupted', message: `Stopped by ${signal}`, iterations: 1 });
    expect(iterationsOf(run)).toEqual(['red']);
    expect(judgedGates(run)[0]).toMatchObject([{ ending: { kind: 'exited', code: 1 }, output: 'finished\n' }, { green: true }]);
    expect(existsSync(join(stage.repo.beside, 'second'))).toBe(true);
    expect(stage.after()).toEqual({ calls: 1, commits: 1, changed: [], processes: [] });
  });

  it('does not reject the claim that it proves: exit code 0', async () => {
    await using stage = await openStage([works], { gate: `${waits}; sh check.sh` });
    const running = await busy(stage, '--proof', 'off');
    running.child.kill('SIGINT');
    await until('it drains', () => running.stderr().includes('shutting down'));
    await stage.make('go');
    const run = await endOf(running);

    expect(run.code).toBe(0);
    expect(run.result).toMatchObject({ stop_reason: 'completed', done: true });
    expect(stage.after()).toEqual({ calls: 1, commits: 1, changed: WORKED, processes: [] });
  });

  it.each<[string, object, boolean]>([
    ['the grace time of SIGINT is over', { shutdownGrace: { sigint: '1s' } }, false],
    ['there is a second one', {}, true],
  ])('stops it when %s, and the result is not blamed on the agent', async (_name, settings, again) => {
    await using stage = await openStage([idles], { settings, gate: waits });
    const running = await busy(stage);
    running.child.kill('SIGINT');
    await until('it drains', () => running.stderr().includes('shutting down'));
    const sinceMs = performance.now();
    if (again) running.child.kill('SIGINT');
    const run = await endOf(running);

    expect(run.code).toBe(130);
    expect(iterationsOf(run)).toEqual(['abandoned']);
    // The default grace time is a minute.
    expect(performance.now() - sinceMs).toBeLessThan(20_000);
    expect(stage.after()).toEqual({ calls: 1, commits: 1, changed: [], processes: [] });
  });
});
