import { describe, expect, it } from 'vitest';
import { bash, turn } from '../support/claude-script.ts';
import { endsAt } from '../support/loop-stage.ts';
import { openStage, WORK } from '../support/stage.ts';
import { doneInLife, openSuperviseStage } from '../support/supervise-stage.ts';

const costing = (usd: number) => turn(endsAt(usd, 'Not there yet.'));

describe.concurrent('a cost limit of ralph run', () => {
  it('ends it, with a warning before, and tells the agent what is left', async () => {
    await using stage = await openStage([costing(0.09), costing(0.09)]);
    const run = await stage.run('--max-cost', '0.10');
    expect(run, run.stderr).toMatchObject({ code: 1, result: { stop_reason: 'budget_exhausted', iterations: 2, cost_limit_unseen: false } });
    expect(run.stderr).toMatch(/^ {2}budget +\$0\.10$/m);
    expect(run.stderr).toContain('90 % of the cost limit is spent: $0.09 of $0.10.');
    expect(stage.calls().map(({ args }) => args[args.indexOf('--max-budget-usd') + 1])).toEqual(['0.1000', '0.0100']);
  });

  it('comes from the settings too, and does not undo the good end that it paid for', async () => {
    await using stage = await openStage([turn(bash(WORK), endsAt(0.2, '<response>DONE</response>'))], { settings: { maxCost: 0.1 } });
    expect(await stage.run()).toMatchObject({ code: 0, result: { done: true, cost_usd: 0.2, cost_per_proven_usd: 0.2 } });
  });

  it('is refused if it is no amount', async () => {
    await using stage = await openStage([costing(1)]);
    const run = await stage.run('--max-cost', '0');
    expect(run.code).toBe(2);
    expect(run.stderr).toMatch(/^error: maxCost .*\(from --max-cost\)\n/);
  });
});

const told = (usd: number) => `printf '{"type":"result","subtype":"success","is_error":false,"result":"ok","total_cost_usd":${usd}}\\n'`;

describe.concurrent('a cost limit of ralph supervise', () => {
  it('ends it between two lives', async () => {
    await using stage = await openSuperviseStage(told(0.45));
    const run = await stage.supervise('-p', 'Do it.', '--agent-kind', 'stream-json', '--max-cost', '0.8');
    expect(run, run.stderr).toMatchObject({ code: 1, result: { stop_reason: 'budget_exhausted', restarts: 2, cost_usd: 0.9 } });
    expect(run.stderr).toContain('Cost limit of $0.80 reached: $0.9000 spent');
    expect(stage.lives()).toEqual(['1.1', '2.1']);
  });

  it('does not undo the DONE that it paid for', async () => {
    await using stage = await openSuperviseStage(`${told(0.9)}\n${doneInLife(1)}`);
    const run = await stage.supervise('-p', 'Do it.', '--agent-kind', 'stream-json', '--max-cost', '0.8');
    expect(run, run.stderr).toMatchObject({ code: 0, result: { stop_reason: 'completed', cost_usd: 0.9 } });
  });

  it('of a command that tells nothing is only a warning', async () => {
    await using stage = await openSuperviseStage(doneInLife(2));
    const run = await stage.supervise('--max-cost', '0.8');
    expect(run, run.stderr).toMatchObject({ code: 0, result: { stop_reason: 'completed', restarts: 2, cost_limit_unseen: true } });
    expect(run.stderr.match(/WARNING +the cost limit cannot be kept: /g)).toHaveLength(2);
  });

  it('for a day ends it too', async () => {
    await using stage = await openSuperviseStage(told(0.45));
    const run = await stage.supervise('-p', 'Do it.', '--agent-kind', 'stream-json', '--max-cost-per-day', '0.8');
    expect(run, run.stderr).toMatchObject({ code: 1, result: { stop_reason: 'budget_exhausted', restarts: 2 } });
  });
});
