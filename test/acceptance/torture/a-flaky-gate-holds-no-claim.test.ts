import { describe, expect, it } from 'vitest';
import { bash, CLAIM, ends, turn } from '../../support/claude-script.ts';
import { receiptOf } from '../../support/loop-stage.ts';
import { openStage, WORK } from '../../support/stage.ts';

describe('a gate of ralph run that is red for once in the proof of a claim', () => {
  it('runs again there, and the receipt says that it is flaky', async () => {
    await using stage = await openStage([turn(bash(WORK), ...ends(CLAIM))], { gate: null });
    const runs = `${stage.repo.beside}/runs`;
    // Its second run is the first in the copy.
    const gate = `echo x >> ${runs}; test -e work.txt && [ "$(wc -l < ${runs})" != 2 ]`;
    const run = await stage.run('--no-sandbox', '--guardrail', gate);
    expect(run, run.stderr).toMatchObject({ code: 0, result: { done: true, iterations: 1 } });
    expect(receiptOf(run).checks).toMatchObject([{ exit_code: 0, flaky: true }]);
  });
});
