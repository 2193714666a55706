import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { appendEvent, gone, holdRun, makeRun, stopped } from '../../../test/support/made-runs.ts';
import { openThrowAwayFolder } from '../../../test/support/throw-away-folder.ts';
import type { EventBody } from '../../journal/events/journal-event.ts';
import { emptyState } from '../../journal/state/state.ts';
import { watchInbox } from '../../runs/inbox.ts';
import { answerQuestion } from './answer-question.ts';
import { findRunWithQuestions } from './run-with-questions.ts';

const [OLDER, NEWER] = ['20990101-000000-aaaaaa', '20990102-000000-bbbbbb'];
const asks = (story: string, text: string, iteration = 1): EventBody => ({ type: 'question.asked', iteration, story, question: { kind: 'blocked', text } });
const answered = (story: string | null, answer: string): EventBody => ({ type: 'question.answered', story, answer, by: 'ann' });
const waiting = stopped('waiting', 3);

async function openPlace() {
  const folder = await openThrowAwayFolder();
  const runs = join(folder.path, '.ralph', 'runs');
  const make = (run: string, after: readonly EventBody[], settings: object = { recipe: 'stories' }) =>
    makeRun(runs, run, { cwd: folder.path, writer: gone(), after, settings });
  return {
    cwd: folder.path,
    runs,
    make,
    inbox: (run: string) => readdir(join(runs, run, 'inbox')).catch(() => []),
    answer: (answer: string, request: Partial<Parameters<typeof answerQuestion>[0]> = {}) =>
      answerQuestion({ cwd: folder.path, run: null, story: null, answer, later: false, timeoutMs: 20_000, ...request }),
    [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose](),
  };
}

afterEach(() => vi.unstubAllEnvs());

describe('an answer to a run that is not running', () => {
  it('is passed on when the run resumes, for the newest open question', async () => {
    await using place = await openPlace();
    await place.make(NEWER, [asks('S-1', 'no key'), asks('S-2', 'which?', 2), asks('S-3', 'why?', 3), answered('S-3', 'because'), waiting]);

    expect(await place.answer('REST')).toEqual({
      run: NEWER,
      question: { kind: 'blocked', text: 'which?', story: 'S-2', iteration: 2, answer: null },
      result: 'resume',
      said: [{ type: 'question.answered', story: 'S-2', answer: 'REST', by: 'ralph answer' }],
    });
    expect(await place.answer('key', { story: 'S-1' })).toMatchObject({ question: { text: 'no key' }, said: [{ story: 'S-1' }] });
    expect(await place.inbox(NEWER)).toEqual([]);
  });

  it('goes to the newest run here with an open question, or to the named run', async () => {
    await using place = await openPlace();
    await place.make(OLDER, [asks('S-1', 'old'), waiting]);
    await place.make('20990102-000000-cccccc', [asks('S-1', 'asked and done'), stopped('completed', 0)]);
    await place.make('20990103-000000-dddddd', [stopped('max_iterations')]);
    await place.make('20990104-000000-eeeeee', [asks('S-1', 'of another recipe'), waiting], {});
    expect(await place.answer('x')).toMatchObject({ run: OLDER });
    await place.make(NEWER, [asks('S-1', 'new'), waiting]);
    expect(await place.answer('x')).toMatchObject({ run: NEWER });
    expect(await place.answer('x', { run: 'aaaaaa' })).toMatchObject({ run: OLDER });
  });

  it('goes to a run that died while it asked, too', async () => {
    await using place = await openPlace();
    await place.make(NEWER, [asks('S-1', 'no key')]);
    expect(await place.answer('x')).toMatchObject({ run: NEWER, result: 'resume' });
  });

  it('can be left in its inbox, and then the question is no longer open', async () => {
    await using place = await openPlace();
    await place.make(NEWER, [asks('S-1', 'no key'), asks('S-2', 'which?', 2), waiting]);
    expect(await place.answer('REST', { later: true })).toMatchObject({ result: 'kept', question: { story: 'S-2' } });
    expect(await place.answer('in .env', { later: true })).toMatchObject({ result: 'kept', question: { story: 'S-1' } });
    const [name = ''] = await place.inbox(NEWER);
    expect(JSON.parse(await readFile(join(place.runs, NEWER, 'inbox', name), 'utf8'))).toEqual({ answer: 'REST', story: 'S-2', by: 'ralph answer' });
    await expect(place.answer('again')).rejects.toMatchObject({
      code: 'already-answered',
      message: `the question of run ${NEWER} about story S-2 is already answered: REST`,
      hint: expect.stringContaining(`ralph runs resume ${NEWER}`),
    });
  });
});

describe('an answer to a running run', () => {
  /** As its loop does: whatever it reads is journaled first. */
  const listens = (runFolder: string, from: number, keeps: (event: EventBody) => boolean = () => true) => {
    let seq = from;
    return watchInbox(join(runFolder, 'inbox'))(
      async (event) => {
        seq += 1;
        if (keeps(event)) await appendEvent(runFolder, seq, event);
        return true;
      },
      () => emptyState,
    );
  };

  it('counts as received once it is in the journal', async () => {
    await using place = await openPlace();
    const folder = await place.make(NEWER, [asks('S-1', 'no key')]);
    await using _loop = listens(folder, 2);
    const letGo = await holdRun(place.runs, NEWER);

    expect(await place.answer('in .env')).toMatchObject({ result: 'heard' });
    expect((await findRunWithQuestions(place.cwd, NEWER))?.questions).toMatchObject([{ story: 'S-1', answer: 'in .env' }]);
    expect(await place.inbox(NEWER)).toEqual([]);
    await expect(place.answer('again')).rejects.toMatchObject({ code: 'already-answered' });
    await letGo();
  });

  it('stays in the inbox while nobody reads it', async () => {
    await using place = await openPlace();
    await place.make(NEWER, [asks('S-1', 'no key')]);
    const letGo = await holdRun(place.runs, NEWER);
    expect(await place.answer('in .env', { timeoutMs: 200 })).toMatchObject({ result: 'unheard' });
    expect(await place.inbox(NEWER)).toHaveLength(1);
    await letGo();
  });

  it('counts as refused when the loop removes it and journals nothing', async () => {
    await using place = await openPlace();
    const folder = await place.make(NEWER, [asks('S-1', 'no key')]);
    await using _loop = listens(folder, 2, () => false);
    const letGo = await holdRun(place.runs, NEWER);
    expect(await place.answer('in .env')).toMatchObject({ result: 'refused' });
    await letGo();
  });

  it('is taken back when the run stops at that moment, and is passed on when it resumes', async () => {
    await using place = await openPlace();
    const folder = await place.make(NEWER, [asks('S-1', 'no key')]);
    const letGo = await holdRun(place.runs, NEWER);
    const answering = place.answer('in .env');
    await appendEvent(folder, 3, waiting);
    await letGo();
    expect(await answering).toMatchObject({ result: 'resume', said: [{ answer: 'in .env' }] });
    expect(await place.inbox(NEWER)).toEqual([]);
  });
});

describe('an answer is refused', () => {
  it.each<[string, string, readonly EventBody[] | null, object]>([
    ['where no run is', 'run-unknown', null, {}],
    ['by a name that no run has', 'run-unknown', [waiting], { run: 'zzzzzz' }],
    ['when nothing was asked', 'no-question', [waiting], {}],
    ['when nothing was asked about that story', 'no-question', [asks('S-1', 'x'), waiting], { story: 'S-9' }],
    ['when it has one already', 'already-answered', [asks('S-1', 'x'), answered(null, 'y'), waiting], {}],
    ['when it has one already about that story', 'already-answered', [asks('S-1', 'x'), answered('S-1', 'y'), waiting], { story: 'S-1' }],
    ['when the run is done', 'run-done', [asks('S-1', 'x'), stopped('completed', 0)], {}],
    ['when the run that is named is done', 'run-done', [asks('S-1', 'x'), stopped('completed', 0)], { run: NEWER }],
    ['when it is longer than a message can be', 'usage', [asks('S-1', 'x'), waiting], { answer: 'ü'.repeat(33_000) }],
  ])('%s, in one line', async (_what, code, after, request) => {
    await using place = await openPlace();
    if (after !== null) await place.make(NEWER, after);
    await expect(place.answer('x', request)).rejects.toMatchObject({ code, exitCode: 2, message: expect.not.stringContaining('\n') });
    expect(await place.inbox(NEWER)).toEqual([]);
  });

  it("when the run's own agent gives it", async () => {
    await using place = await openPlace();
    await place.make(NEWER, [asks('S-1', 'x'), waiting]);
    vi.stubEnv('RALPH_RUN_ID', NEWER);
    await expect(place.answer('me')).rejects.toMatchObject({ code: 'answers-itself' });
    vi.stubEnv('RALPH_RUN_ID', OLDER);
    expect(await place.answer('its parent')).toMatchObject({ result: 'resume' });
  });

  it('when the journal is damaged', async () => {
    await using place = await openPlace();
    const folder = await place.make(NEWER, [asks('S-1', 'x'), waiting]);
    const journal = join(folder, 'journal.jsonl');
    await writeFile(journal, (await readFile(journal, 'utf8')).replace('"seq":2', '"seq":7'));
    await expect(place.answer('x')).rejects.toMatchObject({ code: 'journal-unreadable', exitCode: 4 });
  });
});
