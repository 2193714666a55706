import { describe, expect, it, vi } from 'vitest';
import { bash, ends, turn } from '../../support/claude-script.ts';
import { finishes, openLoopStage, tries } from '../../support/loop-stage.ts';
import { iterationsOf, WORK } from '../../support/stage.ts';

vi.setConfig({ maxConcurrency: 3 });

const NO_CLAIM = [
  ['INCOMPLETE', 'INCOMPLETE'],
  ['a sentence that denies it', 'The task is not COMPLETE yet.'],
  ['a question', 'COMPLETE?'],
  ['code', 'I will say this at the end:\n\n```\nCOMPLETE\n```'],
  ['a quotation', '> COMPLETE\n\nis what I am to say when I am done.'],
  ['other words', 'All done, the task is completed.'],
] as const;

const CLAIMS = [
  ['a line of its own', 'All checks pass.\n\nCOMPLETE'],
  ['a tag', 'Done. <COMPLETE/>'],
  ['a promise', 'Done.\n<promise>COMPLETE</promise>'],
] as const;

const says = (text: string) => turn(bash(WORK), ...ends(text));

describe.concurrent('with green checks', () => {
  it.for(NO_CLAIM)('%s is not a claim', async ([, text]) => {
    await using stage = await openLoopStage([says(text)]);
    const run = await stage.loop('--max-iterations', '1', '--no-baseline');
    expect(run).toMatchObject({ code: 1, result: { done: false, claim: null, stop_reason: 'max_iterations' } });
  });

  it.for(CLAIMS)('%s is a claim', async ([, text]) => {
    await using stage = await openLoopStage([says(text)]);
    const run = await stage.loop('--max-iterations', '1', '--no-baseline');
    expect(run).toMatchObject({ code: 0, result: { done: true, claim: { text: 'COMPLETE' }, stop_reason: 'all_checks_passed' } });
  });

  it.for(['DONE', '<response>DONE</response>', '<promise>DONE</promise>', '**DONE**'])('%s is a claim too, unless a tag is configured', async (text) => {
    await using stage = await openLoopStage([says(text)]);
    const run = await stage.loop('--max-iterations', '1', '--no-baseline');
    expect(run).toMatchObject({ code: 0, result: { done: true, claim: { text: 'DONE' } } });
    expect(run.stderr).toContain('COMPLETE or DONE');
    await using other = await openLoopStage([says(text)]);
    const configured = await other.loop('--max-iterations', '1', '--no-baseline', '--completion-tag', 'COMPLETE');
    expect(configured).toMatchObject({ code: 1, result: { done: false, claim: null } });
    expect(configured.stderr).toContain('the agent answers COMPLETE and');
  });

  it('--require-tag never needs no tag', async () => {
    await using stage = await openLoopStage([tries(WORK)]);
    const run = await stage.loop('--require-tag', 'never');
    expect(run).toMatchObject({ code: 0, result: { done: true, claim: null, iterations: 1 } });
    expect(stage.prompts()[0]).toContain('The loop ends when all checks pass; it runs them itself after you have ended.');
    expect(stage.prompts()[0]).not.toContain('COMPLETE');
  });

  it('--require-tag auto accepts two green iterations in a row; a red one in between restarts the count', async () => {
    await using stage = await openLoopStage([tries(WORK), tries('rm work.txt'), tries(WORK), tries('true')]);
    const run = await stage.loop('--require-tag', 'auto');
    expect(iterationsOf(run)).toEqual(['green', 'red', 'green', 'green']);
    expect(run).toMatchObject({ code: 0, result: { done: true, claim: null, iterations: 4 } });
  });
});

describe.concurrent('with red checks', () => {
  it.for(['always', 'auto', 'never'])('a tag ends nothing (--require-tag %s)', async (when) => {
    await using stage = await openLoopStage([finishes('true')]);
    const run = await stage.loop('--max-iterations', '2', '--require-tag', when);
    expect(run).toMatchObject({ code: 1, result: { done: false, stop_reason: 'max_iterations', iterations: 2 } });
  });

  it('the tag ends a loop without checks, and the result says that it is unproven', async () => {
    await using stage = await openLoopStage([tries('true'), finishes('true')], { gate: null });
    const run = await stage.loop('--no-checks');
    expect(run).toMatchObject({ code: 0, result: { done: true, unproven: true, stop_reason: 'completed', iterations: 2, baseline: null } });
    expect(run.stderr).toContain('no check was there to prove it');
  });
});
