import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { deepIt } from '../../support/deep.ts';
import { judgedGates } from '../../support/judged-gates.ts';
import { finishes, honest, openLoopStage, tries } from '../../support/loop-stage.ts';
import { iterationsOf } from '../../support/stage.ts';

const FLOOD_MEGABYTES = 10;

describe.concurrent('a check', () => {
  it(`may print ${FLOOD_MEGABYTES} MB; the prompt gets the end of it`, async () => {
    const gate = `head -c ${FLOOD_MEGABYTES}000000 /dev/zero | tr '\\000' x; echo THE END; grep -qs done work.txt`;
    await using stage = await openLoopStage([tries('true'), honest], { gate });
    const run = await stage.loop('--no-baseline', '--flaky-retries', '0');
    expect(run, run.stderr).toMatchObject({ code: 0, result: { iterations: 2 } });
    expect(stage.prompts()[1]).toMatch(/x{1900,2000}THE END/);
    expect(stage.prompts()[1]?.length).toBeLessThan(10_000);
    expect(judgedGates(run)[0]?.[0]?.output_bytes).toBe(FLOOD_MEGABYTES * 1_000_000 + 8);
  });

  it('may run in parallel with the others, and all are reported in their order', async () => {
    const meets = (me: string, other: string) => `touch ../beside/${me}; until [ -e ../beside/${other} ]; do sleep 0.05; done; echo ${me}; exit 1`;
    await using stage = await openLoopStage([tries('true')], { gate: meets('one', 'two') });
    const run = await stage.loop('--check', meets('two', 'one'), '--parallel-checks', '--no-baseline', '--max-iterations', '2', '--check-timeout', '40s');
    expect(judgedGates(run)[0]).toMatchObject([{ output: 'one\n' }, { output: 'two\n' }]);
    expect(stage.prompts()[1]).toMatch(/```\none\n```[\s\S]*```\ntwo\n```/);
  });

  deepIt('every gate is run by the same function, and guardrails show the same')('that ends does not end the checks that run in parallel', async () => {
    await using stage = await openLoopStage([honest], { gate: 'true' });
    const run = await stage.loop(
      '--check',
      'sleep 1; grep -q done work.txt',
      '--check',
      'sleep 1234',
      '--parallel-checks',
      '--no-baseline',
      '--max-iterations',
      '1',
      '--check-timeout',
      '3s',
    );
    expect(judgedGates(run)[0]?.map(({ ending }) => ending)).toMatchObject([
      { kind: 'exited', code: 0 },
      { kind: 'exited', code: 0 },
      { kind: 'stopped', cause: 'deadline' },
    ]);
    expect(stage.after().processes).toEqual([]);
  });

  it('never runs in parallel by default, and every check runs', async () => {
    const note = (name: string, code: number) => `echo "${name} begins" >> ../beside/order; sleep 0.2; echo "${name} ends" >> ../beside/order; exit ${code}`;
    await using stage = await openLoopStage([finishes('true')], { gate: note('a', 1) });
    await stage.loop('--check', note('b', 0), '--no-baseline', '--flaky-retries', '0', '--max-iterations', '1');
    expect(readFileSync(join(stage.repo.beside, 'order'), 'utf8').trim().split('\n')).toEqual(['a begins', 'a ends', 'b begins', 'b ends']);
  });

  it('that cannot be found or is killed is red, and the next prompt says how it ended', async () => {
    await using stage = await openLoopStage([finishes('true')], { gate: 'cd . && no-such-command-anywhere' });
    const run = await stage.loop('--check', 'kill -9 $$', '--no-baseline', '--max-iterations', '2');
    expect(iterationsOf(run)).toEqual(['red', 'red']);
    expect(stage.prompts()[1]).toMatch(/no-such-command-anywhere: (command )?not found/);
    expect(stage.prompts()[1]).toContain('Error: ended by SIGKILL');
  });

  deepIt('every gate is run by the same function, and guardrails show the same')('that reads standard input gets an empty one', async () => {
    await using stage = await openLoopStage([honest], { gate: 'read x; grep -q done work.txt' });
    expect(await stage.loop('--check-timeout', '20s')).toMatchObject({ code: 0, result: { iterations: 1 } });
  });

  it('is required before anything runs', async () => {
    await using stage = await openLoopStage([honest], { gate: null });
    const run = await stage.loop();
    expect(run.code).toBe(2);
    expect(run.stderr + run.stdout).toMatch(/--check/);
    expect(stage.after()).toMatchObject({ calls: 0, changed: [] });
  });
});
