import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { exit, limited, pause, stay, type Turn, turn } from '../../support/claude-script.ts';
import { goesOn, MESSAGE, messageCalls, names, openCommittingStage, refusalsOf, works } from '../../support/committing-stage.ts';
import { deepRows } from '../../support/deep.ts';
import { iterationsOf } from '../../support/stage.ts';

const PROMPT = 'Provide a short imperative commit message for the changes. Output only the message, no explanation.';
const HOUR = 3_600_000;

describe.concurrent('a message', () => {
  const messages: readonly (readonly [string, string, string | null])[] = [
    ['that a shell would run', 'Add $(touch pwned) and `touch pwned`; touch pwned', null],
    ['that looks like an option', '--amend', null],
    ['that looks like options with values', '-m other --author=x', null],
    ['with quotes of all sorts', `Say "it's" 'done' \\ $HOME %s %n {}`, null],
    ['with emoji and other scripts', '✨ Füge 数 hinzu 👩‍👩‍👧', null],
    ['that git would take for a comment', '# 1: the first', null],
    ['with text around it', 'Here it is:\n<response>Add the work</response>\nBye', 'Add the work'],
    ['of several lines', '<response>\nAdd the work\n\n- one\n\n# two\n</response>', 'Add the work\n\n- one\n\n# two'],
    ['on the first line that is not empty', '\n  \n  Add the work\nand more', 'Add the work'],
    ['of 10,000 characters, cut to half of that', 'x'.repeat(10_000), `${'x'.repeat(5_000)}…`],
  ];
  it.each(deepRows('how a message is read is a pure rule, with a test of each row', messages, 4))('%s is committed as text', async (_name, said, wanted) => {
    await using stage = await openCommittingStage([works, names(said)]);
    const run = await stage.run();

    expect(run.code).toBe(0);
    expect(stage.repo.git('log', '-1', '--format=%B')).toBe(wanted ?? said);
    expect(existsSync(join(stage.repo.path, 'pwned'))).toBe(false);
    expect(stage.inLastCommit()).toEqual(['work.txt']);
    expect(stage.after()).toEqual({ calls: 2, commits: 2, changed: [], processes: [] });
  });

  it('is requested once per commit, in text mode, with exactly the prompt of the seed', async () => {
    await using stage = await openCommittingStage([goesOn, names('First'), goesOn, names('Second')]);
    const run = await stage.run('-m', '2');

    expect(run.code).toBe(1);
    expect(messageCalls(stage).map(({ prompt }) => prompt)).toEqual([PROMPT, PROMPT]);
    expect(stage.subjects()).toEqual(['start', 'First', 'Second']);
    expect(iterationsOf(run)).toEqual(['green', 'green']);
    expect(run.result).toMatchObject({ iterations: 2, attempts: 4, commits: 2 });
  });
});

/** What a request for a message may produce, and the reported reason. */
const noMessages: readonly (readonly [name: string, call: Turn, said: RegExp])[] = [
  ['only white space', turn({ say: ' \n\t\n' }), /the agent did not provide a valid commit message/],
  ['nothing at all', [], /the agent did not provide a valid commit message/],
  ['an empty tag', names('<response> </response>'), /the agent did not provide a valid commit message/],
  ['a usage limit', limited(HOUR), /No commit message: usage limit/],
  ['an exit code, whatever it printed before', turn({ say: 'Add the work' }, exit(1)), /No commit message: the agent exited with code 1/],
  ['a message and then a hang', turn({ result: 'Add the work' }, stay), /No commit message: .*2 s/],
  ['a hang', [stay], /No commit message: .*2 s/],
];

describe.concurrent('a request for a message that produces', () => {
  it.each(deepRows('what is no message is a pure rule, with a test of each row', noMessages, 3))(
    '%s commits nothing, and is told; the run is exit 1',
    async (_name, call, said) => {
      await using stage = await openCommittingStage([works, call], { timeout: '2s', tasks: ['commit', 'tag made'] });
      const run = await stage.run();

      expect(run.code).toBe(1);
      expect(run.stderr).toMatch(said);
      expect(run.stderr).toMatch(/Not committed: .*message/);
      expect(run.result).toMatchObject({ stop_reason: 'completed', exit_code: 1, commits: 0 });
      expect(run.result?.scm_problem).toMatch(/message/);
      expect(refusalsOf(run)).toMatchObject([{ reason: 'no-message' }]);
      expect(stage.repo.git('tag')).toBe('');
      expect(stage.after()).toEqual({ calls: 2, commits: 1, changed: ['?? work.txt'], processes: [] });
    },
  );

  it('nothing is repeated after the next green iteration', async () => {
    await using stage = await openCommittingStage([goesOn, turn({ say: ' ' }), works, names(MESSAGE)]);
    const run = await stage.run();

    expect(run.code).toBe(0);
    expect(run.result).toMatchObject({ commits: 1, scm_problem: null });
    expect(stage.subjects()).toEqual(['start', MESSAGE]);
    expect(stage.inLastCommit()).toEqual(['more.txt', 'work.txt']);
  });

  it('a slow answer within the time limit is awaited', async () => {
    await using stage = await openCommittingStage([works, turn(pause(2_000), { say: MESSAGE })]);
    const run = await stage.run();

    expect(run.code).toBe(0);
    expect(stage.subjects()).toEqual(['start', MESSAGE]);
  });
});
