import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { EventBody } from '../../../src/journal/events/journal-event.ts';
import { ends, turn } from '../../support/claude-script.ts';
import { gone, makeRun, stopped } from '../../support/made-runs.ts';
import { journalOf, openStage, type Stage } from '../../support/stage.ts';
import { storiesSpec } from '../../support/stories-spec.ts';

const RUN = '20990102-000000-bbbbbb';
const asks = (story: string, text: string, kind: 'blocked' | 'question' = 'question'): EventBody => ({
  type: 'question.asked',
  iteration: 1,
  story,
  question: { kind, text },
});

const runsOf = (stage: Stage) => join(stage.repo.path, '.git', 'ralph', 'runs');

async function openAsking(...after: readonly EventBody[]): Promise<Stage> {
  const stage = await openStage([]);
  await makeRun(runsOf(stage), RUN, { cwd: stage.repo.path, writer: gone(), settings: { stories: storiesSpec() }, after: [...after, stopped('waiting', 3)] });
  return stage;
}

describe.concurrent('ralph answer', () => {
  it('without a text shows the questions, newest first, without terminal control characters', async () => {
    await using stage = await openAsking(asks('S-1', 'no \u001b[31mkey\u0007\nnor a name', 'blocked'), asks('S-2', 'REST?'));
    const shown = await stage.ralph('answer');
    const json = await stage.ralph('answer', '--json', '--story', 'S-1');

    expect(shown).toMatchObject({ code: 0, stderr: '' });
    expect(shown.stdout).toBe(
      [
        `Run ${RUN}, iteration 1: S-2 needs a decision:`,
        '  REST?',
        `Run ${RUN}, iteration 1: S-1 is blocked:`,
        '  no key\u2407',
        '  nor a name',
        'Answer the first of them with: ralph answer "…"; another with: --task <id>',
        '',
      ].join('\n'),
    );
    expect(json).toMatchObject({ code: 0, result: { run_id: RUN, questions: [{ story: 'S-1', kind: 'blocked', iteration: 1 }] } });
  });

  it('reports that there is no question', async () => {
    await using stage = await openAsking();
    await using empty = await openStage([]);
    expect(await stage.ralph('answer')).toMatchObject({ code: 1, stdout: 'There are no open questions.\n' });
    expect(await empty.ralph('answer', '--json')).toMatchObject({ code: 1, result: { run_id: null, questions: [] } });
  });

  it('--later saves the answer, and the question is no longer open', async () => {
    await using stage = await openAsking(asks('S-1', 'REST?'));
    const kept = await stage.ralph('answer', '--later', 'Use', 'REST.');

    expect(kept).toMatchObject({
      code: 0,
      stderr: '',
      stdout: `S-1 is answered: run ${RUN} reads it when it is resumed. Continue it with: ralph runs resume ${RUN}\n`,
    });
    expect(readdirSync(join(runsOf(stage), RUN, 'inbox'))).toHaveLength(1);
    expect(await stage.ralph('answer')).toMatchObject({ code: 1 });
    expect(await stage.ralph('answer', 'again')).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/^error: .* is already answered: Use REST\.\nhint: .*\n$/),
    });
  });

  it('--later gives the answer to the resumed run first, and the run drops other pending requests', async () => {
    await using stage = await openStage([turn(...ends('Not yet.'))]);
    const run = await stage.run('-m', '1');
    const inbox = join(`${run.result?.run_folder}`, 'inbox');
    writeFileSync(join(inbox, '1.json'), JSON.stringify({ ask: 'drain', by: 'ann' }));
    writeFileSync(join(inbox, '2.json'), JSON.stringify({ answer: 'Use REST.', story: 'S-1', by: 'ann' }));
    await stage.ralph('runs', 'resume', '--json');

    const types = journalOf(run).map(({ type }) => type);
    expect(types.slice(types.indexOf('run.resumed'))).toEqual(['run.resumed', 'question.answered', 'run.stopped']);
    expect(readdirSync(inbox)).toEqual([]);
  });

  it.each([
    ['an empty answer', ['']],
    ['an answer of spaces', [' ', '  ']],
    ['an empty standard input', ['-']],
    ['an unknown run', ['yes', '--run', 'nobody']],
    ['a story without a question', ['yes', '--story', 'S-9']],
  ])('refuses %s in one line', async (_name, args) => {
    await using stage = await openAsking(asks('S-1', 'REST?'));
    expect(await stage.ralph('answer', ...args)).toMatchObject({ code: 2, stdout: '', stderr: expect.stringMatching(/^error: .+\nhint: .+\n$/) });
  });
});
