import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { DEFAULT_REVIEWS } from '../../src/settings/schema/settings-defaults.ts';
import { bash, CLAIM, ends, exit, limited, type Turn, turn, until as untilMade } from '../support/claude-script.ts';
import { LOOK, MESSAGE, messageCalls, names, openCommittingStage } from '../support/committing-stage.ts';
import { deepIt, deepRows } from '../support/deep.ts';
import { endOf, iterationsOf, openStage, type Stage, WORK, WORKED } from '../support/stage.ts';
import { until } from '../support/until.ts';

const goesOn = turn(bash(WORK), ...ends('Not there yet.'));
const works = turn(bash(WORK), ...ends(CLAIM));
const looksOnly = turn(...ends('Nothing found.'));
const spoils = turn(bash('echo spoilt > work.txt'), ...ends('Better now.'));

const reviewing = (more: object = {}) => ({ settings: { reviews: { reviewAfter: 1, prompts: [review('first'), review('second')], ...more } } });
const review = (name: string) => ({ name, prompt: `Review it: ${name}.` });

/** The prompt of each call: the work, or a review by name. */
const told = (stage: Stage) => stage.calls().map(({ prompt }) => /^Review it: (.+)\.$/m.exec(prompt)?.[1] ?? prompt.split('\n')[0]);

const logsIn = (stage: Stage) =>
  readdirSync(join(stage.repo.path, '.ralph'))
    .filter((name) => name.startsWith('guardrail_') && !name.includes('_proof_'))
    .sort();

describe.concurrent('a review cycle', () => {
  it('of the four default reviews starts after the configured number of green iterations; each has its own logs, and the guardrails run after it', async () => {
    await using stage = await openStage([goesOn, goesOn, ...DEFAULT_REVIEWS.map(() => looksOnly), goesOn], { settings: { reviews: { reviewAfter: 2 } } });
    const run = await stage.run('-m', '3');

    expect(run.code).toBe(1);
    expect(stage.calls().map(({ prompt }) => prompt)).toEqual([
      ...['Do the work.', 'Do the work.'],
      ...DEFAULT_REVIEWS.map(({ prompt }) => prompt),
      'Do the work.',
    ]);
    expect(run.result).toMatchObject({ stop_reason: 'max_iterations', iterations: 3, attempts: 7, review_cycles: 1 });
    expect(iterationsOf(run)).toEqual(['green', 'green', 'green']);
    expect(logsIn(stage)).toEqual(
      [
        ...[1, 2, 3].map((iteration) => `guardrail_00${iteration}_sh_check_sh.log`),
        ...DEFAULT_REVIEWS.map(({ name }) => `guardrail_002_review_${name}_sh_check_sh.log`),
      ].sort(),
    );
    expect(run.stderr).toMatch(/--- Starting review cycle ---.*--- Review cycle complete ---/s);
  });

  it('counts only green iterations, and restarts the count after each cycle', async () => {
    const red = turn(bash('rm -f work.txt'), ...ends('Not there yet.'));
    const script = [goesOn, red, goesOn, looksOnly, goesOn, goesOn, looksOnly];
    await using stage = await openStage(script, reviewing({ reviewAfter: 2, prompts: [review('first')] }));
    const run = await stage.run('-m', '5');

    expect(told(stage)).toEqual(['Do the work.', 'Do the work.', 'Do the work.', 'first', 'Do the work.', 'Do the work.', 'first']);
    expect(iterationsOf(run)).toEqual(['green', 'red', 'green', 'green', 'green']);
    expect(run.result).toMatchObject({ iterations: 5, attempts: 7, review_cycles: 2 });
  });

  const never: readonly (readonly [string, object])[] = [
    ['no prompts', { prompts: [] }],
    ['reviewAfter 0', { reviewAfter: 0 }],
  ];
  it.each(deepRows('when a review is due is a pure rule', never, 1))('never begins with %s', async (_name, more) => {
    await using stage = await openStage([works], reviewing(more));
    const run = await stage.run();

    expect(run.code).toBe(0);
    expect(run.result).toMatchObject({ attempts: 1, review_cycles: 0 });
    expect(run.stderr).not.toMatch(/review/i);
  });

  it.each(deepRows('how often is a pure rule', [1, 0, 2], 1))(
    'asks a review that leaves a guardrail red again, at most %i times, told what is red; then the next has its turn',
    async (limit) => {
      const mends = turn(bash(WORK), ...ends('Mended.'));
      const script = [works, ...Array.from({ length: limit + 1 }, () => spoils), mends];
      await using stage = await openStage(script, reviewing({ guardrailRetryLimit: limit }));
      const run = await stage.run();

      expect(run.code).toBe(0);
      expect(told(stage)).toEqual(['Do the work.', ...Array.from({ length: limit + 1 }, () => 'first'), 'second']);
      const isTold = stage.calls().map(({ prompt }) => prompt.includes('work.txt is not done'));
      expect(isTold).toEqual([false, false, ...Array.from({ length: limit + 1 }, () => true)]);
      expect(logsIn(stage)).toEqual(
        ['sh', ...Array.from({ length: limit + 1 }, (_, retry) => `review_first${retry === 0 ? '' : `_${retry}`}_sh`), 'review_second_sh']
          .map((name) => `guardrail_001_${name}_check_sh.log`)
          .sort(),
      );
      expect(run.stderr).toContain(`[Review: first] Guardrail retry limit (${limit}) reached`);
      expect(run.result).toMatchObject({ stop_reason: 'completed', iterations: 1, review_cycles: 1 });
    },
  );

  it('that leaves a guardrail red refuses the claim, and the next agent is told', async () => {
    await using stage = await openStage([works, looksOnly, spoils, works, looksOnly], reviewing({ guardrailRetryLimit: 0 }));
    const run = await stage.run('-m', '2');

    expect(run.code).toBe(0);
    expect(iterationsOf(run)).toEqual(['red', 'green']);
    expect(run.stderr).toContain('Claim "DONE" not accepted: the check is red.');
    expect(stage.calls()[3]?.prompt).toMatch(/^Do the work\.\n\nGuardrail "sh check.sh" failed/);
    expect(run.result).toMatchObject({ iterations: 2, review_cycles: 2 });
  });

  it('cannot claim completion: only the working agent can', async () => {
    const claims = turn(...ends(CLAIM));
    await using stage = await openStage([goesOn, claims, claims], reviewing());
    const run = await stage.run('-m', '1');

    expect(run.code).toBe(1);
    expect(run.result).toMatchObject({ stop_reason: 'max_iterations', done: false, claim: null, iterations: 1, attempts: 3, review_cycles: 1 });
    expect(stage.after()).toEqual({ calls: 3, commits: 1, changed: WORKED, processes: [] });
  });

  const troubles: readonly (readonly [string, readonly Turn[], number])[] = [
    ['crashes', [turn({ say: 'working' }, exit(137))], 1],
    ['says nothing', [[]], 3],
    ['meets a usage limit, which is waited out', [limited(1_500), looksOnly], 2],
  ];
  it.each(deepRows('what comes of an attempt is the same in a review', troubles, 2))('goes on when an agent in it %s', async (_name, turns, calls) => {
    const script = [works, ...Array.from({ length: calls }, (_, call) => turns[Math.min(call, turns.length - 1)] ?? []), looksOnly];
    await using stage = await openStage(script, reviewing());
    const run = await stage.run();

    expect(run.code).toBe(0);
    expect(told(stage)).toEqual(['Do the work.', ...Array.from({ length: calls }, () => 'first'), 'second']);
    expect(iterationsOf(run)).toEqual(['green']);
    expect(run.result).toMatchObject({ stop_reason: 'completed', iterations: 1, review_cycles: 1 });
  });

  it('also runs in the last iteration', async () => {
    await using stage = await openStage([goesOn, looksOnly, looksOnly], reviewing());
    const run = await stage.run('-m', '1');

    expect(run.code).toBe(1);
    expect(told(stage)).toEqual(['Do the work.', 'first', 'second']);
    expect(run.result).toMatchObject({ stop_reason: 'max_iterations', iterations: 1, review_cycles: 1 });
  });
});

describe.concurrent('a change by a review', () => {
  it('is part of the one commit of the iteration, as the guardrails last checked it', async () => {
    const improves = (file: string) => turn(bash(`echo ${file} > ${file}`), ...ends('Improved.'));
    const { reviews } = reviewing().settings;
    await using stage = await openCommittingStage([works, improves('one.txt'), improves('two.txt'), names(MESSAGE)], {
      settings: { reviews, scm: { command: 'git', tasks: ['commit'] } },
      gate: `${LOOK}; sh check.sh`,
    });
    const run = await stage.run();

    expect(run.code).toBe(0);
    expect(messageCalls(stage)).toHaveLength(1);
    expect(stage.subjects()).toEqual(['start', MESSAGE]);
    expect(stage.inLastCommit()).toEqual(['one.txt', 'two.txt', 'work.txt']);
    expect(stage.seen()).toHaveLength(3);
    expect(stage.seen().at(-1)).toBe(stage.repo.git('rev-parse', 'HEAD^{tree}'));
  });

  deepIt('the rules of the recipe say the same of every case')('is not committed if it is red at the end', async () => {
    const { reviews } = reviewing({ guardrailRetryLimit: 0 }).settings;
    await using stage = await openCommittingStage([works, looksOnly, spoils], { settings: { reviews, scm: { command: 'git', tasks: ['commit'] } } });
    const run = await stage.run('-m', '1');

    expect(run.code).toBe(1);
    expect(iterationsOf(run)).toEqual(['red']);
    expect(stage.after()).toEqual({ calls: 3, commits: 1, changed: WORKED, processes: [] });
  });
});

describe.concurrent('a review', () => {
  deepIt('the rules of the recipe say the same of every case')('may have any name; its logs stay in .ralph, one per review', async () => {
    const prompts = [review('../../out'), review('a b'), review('a_b'), review('🙂')];
    await using stage = await openStage([works, looksOnly], reviewing({ prompts }));
    const run = await stage.run();

    expect(run.code).toBe(0);
    expect(stage.calls()).toHaveLength(5);
    expect(existsSync(join(stage.repo.path, '..', 'out'))).toBe(false);
    expect(logsIn(stage)).toEqual(
      ['review_2_a_b_', 'review_3_a_b_', 'review_out_', 'review_review_', ''].map((phase) => `guardrail_001_${phase}sh_check_sh.log`),
    );
  });

  it('that is running when a signal comes finishes and is checked; no other starts', async () => {
    const slow = turn(bash('touch ../beside/busy'), untilMade('../beside/go'), ...ends('Nothing found.'));
    await using stage = await openStage([goesOn, slow, looksOnly], reviewing());
    const running = stage.start();
    await stage.made('busy');
    running.child.kill('SIGINT');
    await until('it drains', () => running.stderr().includes('shutting down'));
    await stage.make('go');
    const run = await endOf(running);

    expect(run.code).toBe(130);
    expect(told(stage)).toEqual(['Do the work.', 'first']);
    expect(iterationsOf(run)).toEqual(['green']);
    expect(stage.after()).toEqual({ calls: 2, commits: 1, changed: WORKED, processes: [] });
  });

  it('that is killed with the loop is repeated by --resume, and the rest follows', async () => {
    const slow = turn(bash('touch ../beside/busy'), untilMade('../beside/go'));
    await using stage = await openStage([works, slow, looksOnly], reviewing());
    const running = stage.start();
    await stage.made('busy');
    running.child.kill('SIGKILL');
    await running.ended;
    await until('nothing of it runs any more', () => stage.processes().length === 0);
    const resumed = await stage.ralph('run', '--resume', '--json');

    expect(resumed.code).toBe(0);
    expect(told(stage)).toEqual(['Do the work.', 'first', 'first', 'second']);
    expect(resumed.result).toMatchObject({ stop_reason: 'completed', iterations: 1, review_cycles: 1 });
    expect(stage.after()).toEqual({ calls: 4, commits: 1, changed: WORKED, processes: [] });
  });
});
