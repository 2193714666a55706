import { describe, expect, it, vi } from 'vitest';
import { bash, print, turn } from '../../support/claude-script.ts';
import { CHECK, endsAt, openLoopStage } from '../../support/loop-stage.ts';
import { openGitPlace } from '../../support/place.ts';
import { iterationsOf, WORK } from '../../support/stage.ts';

vi.setConfig({ maxConcurrency: 3 });

const costing = (usd: number | string | null) => turn(endsAt(usd, 'Not there yet.'));
/** It tells neither what it cost nor its tokens. */
const silent = turn(print('{"type":"result","subtype":"success","is_error":false,"result":"Not there yet."}\n'));
const valueAfter = (args: readonly string[], flag: string) => args[args.indexOf(flag) + 1];

describe.concurrent('a cost limit', () => {
  it.for([
    ['0.10', [0.05, 0.05, 0.05], ['0.1000', '0.0500']],
    ['0.12', [0.05, 0.05, 0.05], ['0.1200', '0.0700', '0.0200']],
    ['0.8', [0.1, 0.7, 0.1], ['0.8000', '0.7000']],
    ['0.04', [9, 9], ['0.0400']],
  ] as const)('of %s is kept to the cent at %s each, and every prompt says what is left', async ([limit, costs, left]) => {
    await using stage = await openLoopStage(costs.map(costing));
    const run = await stage.loop('--max-cost', limit, '--no-baseline');

    expect(run).toMatchObject({ code: 1, result: { done: false, stop_reason: 'budget_exhausted', iterations: left.length } });
    expect(run.result?.cost_usd).toBeCloseTo(costs.slice(0, left.length).reduce<number>((sum, cost) => sum + cost, 0));
    expect(stage.calls().map(({ args }) => valueAfter(args, '--max-budget-usd'))).toEqual(left);
  });

  it('does not reject a finished iteration that reaches it', async () => {
    await using stage = await openLoopStage([turn(bash(WORK), endsAt(0.1, 'COMPLETE'))]);
    expect(await stage.loop('--max-cost', '0.10')).toMatchObject({ code: 0, result: { done: true, cost_usd: 0.1 } });
  });

  it.for(['-1', '"free"', 'null', '1e999', null])('is kept by the tokens of an agent that says it cost %s', async (cost) => {
    await using stage = await openLoopStage([costing(cost)]);
    // 10 tokens in at 5 and 5 out at 25 dollars a million.
    const run = await stage.loop('--max-cost', '0.0003', '--no-baseline');
    expect(run).toMatchObject({ code: 1, result: { stop_reason: 'budget_exhausted', attempts: 2, cost_estimated: true, cost_untold_attempts: 0 } });
    expect(run.stderr).toContain('spent, partly estimated');
  });

  it('counts an attempt without a reported cost as an expensive one of the same run, and continues', async () => {
    await using stage = await openLoopStage([silent, costing('0.1'), costing('0.2'), turn(bash(WORK), endsAt(0.1, 'COMPLETE'))]);
    const run = await stage.loop('--max-cost', '5', '--no-baseline');
    expect(run).toMatchObject({ code: 0, result: { done: true, iterations: 4, cost_estimated: true, cost_untold_attempts: 1 } });
    expect(run.result?.cost_usd).toBeCloseTo(0.4 + 0.2);
  });

  it('is not needed for such an agent: without one the run continues and the total is estimated', async () => {
    await using stage = await openLoopStage([silent, turn(bash(WORK), endsAt(0.01, 'COMPLETE'))]);
    const run = await stage.loop();
    expect(iterationsOf(run)).toEqual(['red', 'green']);
    expect(run.result).toMatchObject({ cost_usd: 0.02, cost_estimated: true, cost_untold_attempts: 1 });
    expect(stage.calls().some(({ args }) => args.includes('--max-budget-usd'))).toBe(false);
  });
});

/** Reports its tokens but not their cost, like codex. */
const CODEX = `#!/bin/sh
cat >/dev/null
echo '{"type":"thread.started","thread_id":"t"}'
echo '{"type":"turn.started"}'
echo '{"type":"item.completed","item":{"id":"item_0","type":"agent_message","text":"Not there yet."}}'
echo '{"type":"turn.completed","usage":{"input_tokens":20000,"cached_input_tokens":10000,"output_tokens":5000}}'
`;

describe.concurrent('an agent that does not report its cost', () => {
  const loop = (agent: string, ...more: readonly string[]) => ['loop', 'Do it.', '--agent', agent, '--check', CHECK, '--max-cost', '0.1', '--json', ...more];

  it.for([
    ['an unknown model', [], 0.205],
    ['a model of the list', ['--model', 'gpt-5.4'], 0.1025],
  ] as const)('is estimated from its tokens and list prices with %s, and stopped by the limit', async ([, more, cost]) => {
    await using place = await openGitPlace();
    await place.write('bin/codex', CODEX, 0o755);
    const run = await place.ralph(loop('codex', ...more), { env: { PATH: `${place.path}/bin:${process.env['PATH']}` } });
    expect(run, run.stderr).toMatchObject({
      code: 1,
      result: { stop_reason: 'budget_exhausted', iterations: 1, cost_estimated: true, cost_limit_unseen: false },
    });
    expect(run.result?.cost_usd).toBeCloseTo(cost);
    expect(run.stderr).toMatch(/prices +"codex": estimated from tokens by list prices of \w+ 20\d\d; prices in your settings win/);
    expect(run.stderr).toContain('(estimated)');
  });

  it('and not its tokens either is run with a warning in banner, summary and --json', async () => {
    await using place = await openGitPlace();
    await place.write('agent.sh', 'cat >/dev/null; echo Not there yet.');
    const run = await place.ralph(loop('sh agent.sh', '--max-iterations', '4', '--sandbox=guard'));
    expect(run, run.stderr).toMatchObject({ code: 1, result: { stop_reason: 'max_iterations', iterations: 4, cost_usd: null, cost_limit_unseen: true } });
    const told = 'the cost limit cannot be kept: "sh agent.sh" tells neither cost nor tokens';
    expect(run.stderr).toContain(`WARNING     ${told}; only iterations bound this run\n`);
    expect(run.stderr).toContain(`WARNING     ${told}\n`);
  });

  it('is estimated with the prices in the settings, and stopped by the limit', async () => {
    await using place = await openGitPlace();
    await place.write('bin/codex', CODEX, 0o755);
    // 10,000 new at 2, 10,000 read again at 0.2 and 5,000 out at 8 dollars a million: 6.2 cents.
    await place.write('.ralph/settings.json', JSON.stringify({ prices: { 'gpt-5*': { input: 2, cacheRead: 0.2, output: 8 } } }));
    const run = await place.ralph(loop('codex', '--model', 'gpt-5-mini'), { env: { PATH: `${place.path}/bin:${process.env['PATH']}` } });
    expect(run, run.stderr).toMatchObject({ code: 1, result: { stop_reason: 'budget_exhausted', iterations: 2, cost_estimated: true } });
    expect(run.result?.cost_usd).toBeCloseTo(0.124);
  });
});
