import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { bash, stay, turn } from '../../support/claude-script.ts';
import { CHECK, honest, openLoopStage, receiptOf, tries } from '../../support/loop-stage.ts';
import { endOf, iterationsOf } from '../../support/stage.ts';
import { until } from '../../support/until.ts';

it('a loop that is killed in its third iteration and resumed finishes in the same iteration, also with a cost limit, and leaves nothing running', async () => {
  const third = turn(bash('echo three > three.txt; touch ../beside/third'), stay);
  await using stage = await openLoopStage([tries('echo one > one.txt'), tries('echo two > two.txt'), third, honest]);
  const running = stage.beginLoop('--max-iterations', '3', '--max-cost', '5', '--protect', 'check.sh');
  await stage.made('third');
  running.child.kill('SIGKILL');
  expect(await endOf(running)).toMatchObject({ code: null, signal: 'SIGKILL' });
  await until('the guardian has ended the agent', () => stage.processes().length === 0);
  const run = await stage.ralph('loop', '--resume', '--json');

  expect(run.result, run.stderr).toMatchObject({ stop_reason: 'all_checks_passed', done: true, iterations: 3, maximum_iterations: 3, attempts: 4 });
  expect(run.result).toMatchObject({ baseline: [{ check: CHECK, green: false }], cost_usd: 0.04, cost_estimated: true, cost_untold_attempts: 1 });
  expect(iterationsOf(run)).toEqual(['red', 'red', 'green']);
  expect(stage.prompts()[3]).toContain('**iteration 3/3**');
  for (const word of ['one', 'two', 'three']) expect(stage.prompts()[3]).toContain(`+${word}\n`);
  expect(receiptOf(run)).toMatchObject({ iterations: 3, checks: [{ was_red: true }] });
  const progress = readFileSync(join(run.result?.run_folder ?? '', 'progress.md'), 'utf8');
  expect(progress.match(/^## Iteration .*$/gm)).toEqual(['## Iteration 1 — FAIL', '## Iteration 2 — FAIL', '## Iteration 3 — PASS']);
  expect(stage.after().processes).toEqual([]);
});
