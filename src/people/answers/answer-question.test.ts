import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { appendEvent, gone, holdRun, makeRun, stopped } from '../../../test/support/made-runs.ts';
import { closed } from '../../../test/support/run-events.ts';
import type { SettingsChange } from '../../../test/support/run-settings.ts';
import { storiesSpec } from '../../../test/support/stories-spec.ts';
import { openThrowAwayFolder } from '../../../test/support/throw-away-folder.ts';
import { begun, failedTask, mergeBegun, merged, released, settled } from '../../../test/support/work-journal.ts';
import { workSettings } from '../../../test/support/work-spec.ts';
import type { EventBody } from '../../journal/events/journal-event.ts';
import { emptyState } from '../../journal/state/state.ts';
import { notDone } from '../../journal/words/outcome.ts';
import { watchInbox } from '../../runs/inbox.ts';
import { answerQuestion, findRunWithQuestions } from './answer-question.ts';
import { answerLines, spentLines } from './command/answer.ts';

const [OLDER, NEWER] = ['20990101-000000-aaaaaa', '20990102-000000-bbbbbb'];
const asks = (story: string | null, text: string, iteration = 1): EventBody => ({
  type: 'question.asked',
  iteration,
  story,
  question: { kind: 'blocked', text },
});
const answered = (story: string | null, answer: string): EventBody => ({ type: 'question.answered', story, answer, by: 'ann' });
const waiting = stopped('waiting', 3);

async function openPlace() {
  const folder = await openThrowAwayFolder();
  const runs = join(folder.path, '.ralph', 'runs');
  const make = (run: string, after: readonly EventBody[], settings: SettingsChange = { stories: storiesSpec() }) =>
    makeRun(runs, run, { cwd: folder.path, writer: gone(), after, settings });
  return {
    cwd: folder.path,
    runs,
    make,
    inbox: (run: string) => readdir(join(runs, run, 'inbox')).catch(() => []),
    answer: (answer: string, request: Partial<Parameters<typeof answerQuestion>[0]> = {}) =>
      answerQuestion({ cwd: folder.path, run: null, task: null, answer, by: 'ann', later: false, timeoutMs: 20_000, ...request }),
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
      question: expect.objectContaining({ kind: 'blocked', text: 'which?', task: 'S-2', iteration: 2, answer: null }),
      result: 'resume',
      said: [{ type: 'question.answered', story: 'S-2', answer: 'REST', by: 'ann' }],
    });
    expect(await place.answer('key', { task: 'S-1' })).toMatchObject({ question: { text: 'no key' }, said: [{ story: 'S-1' }] });
    expect(await place.inbox(NEWER)).toEqual([]);
  });

  it('goes to the newest run here with an open question, or to the named run', async () => {
    await using place = await openPlace();
    await place.make(OLDER, [asks('S-1', 'old'), waiting]);
    await place.make('20990102-000000-cccccc', [asks('S-1', 'asked and done'), stopped('completed', 0)]);
    await place.make('20990103-000000-dddddd', [stopped('max_iterations')]);
    expect(await place.answer('x')).toMatchObject({ run: OLDER });
    await place.make(NEWER, [asks(null, 'of another recipe'), waiting], {});
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
    expect(await place.answer('REST', { later: true })).toMatchObject({ result: 'kept', question: { task: 'S-2' } });
    expect(await place.answer('in .env', { later: true })).toMatchObject({ result: 'kept', question: { task: 'S-1' } });
    const [name = ''] = await place.inbox(NEWER);
    expect(JSON.parse(await readFile(join(place.runs, NEWER, 'inbox', name), 'utf8'))).toEqual({ answer: 'REST', story: 'S-2', by: 'ann' });
    await expect(place.answer('again')).rejects.toMatchObject({
      code: 'already-answered',
      message: `the question of run ${NEWER} about S-2 is already answered: REST`,
      hint: expect.stringContaining(`ralph runs resume ${NEWER}`),
    });
  });
});

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

describe('an answer to a running run', () => {
  it('counts as received once it is in the journal', async () => {
    await using place = await openPlace();
    const folder = await place.make(NEWER, [asks('S-1', 'no key')]);
    await using _loop = listens(folder, 2);
    const letGo = await holdRun(place.runs, NEWER);

    expect(await place.answer('in .env')).toMatchObject({ result: 'heard' });
    expect((await findRunWithQuestions(place.cwd, NEWER))?.questions).toMatchObject([{ task: 'S-1', answer: 'in .env' }]);
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

describe('words about a task of a plan that waits for another try', () => {
  const settings = workSettings();
  const left = stopped('stuck');

  it('go to the run in which it waits, and into its inbox until it is resumed', async () => {
    await using place = await openPlace();
    await place.make(OLDER, [...failedTask(1, 'T-1'), left], settings);
    await place.make(NEWER, [asks('S-1', 'no key'), waiting]);
    expect(await place.answer('mind the port', { task: 'T-1' })).toMatchObject({
      run: OLDER,
      result: 'resume',
      said: [],
      question: { kind: 'failed', task: 'T-1' },
    });
    expect(await findRunWithQuestions(place.cwd, OLDER)).toMatchObject({ left: [] });
    const [name = ''] = await place.inbox(OLDER);
    const instruct = { kind: 'again', task: 'T-1', text: 'mind the port', agent: null };
    expect(JSON.parse(await readFile(join(place.runs, OLDER, 'inbox', name), 'utf8'))).toEqual({ instruct, by: 'ann' });
  });

  it('are kept with --later, and are read at once by a run that is running', async () => {
    await using place = await openPlace();
    await place.make(OLDER, [...failedTask(1, 'T-1'), left], settings);
    expect(await place.answer('x', { run: OLDER, task: 'T-1', later: true })).toMatchObject({ result: 'kept' });
    const folder = await place.make(NEWER, failedTask(1, 'T-2'), settings);
    await using _loop = listens(folder, failedTask(1, 'T-2').length + 1);
    const letGo = await holdRun(place.runs, NEWER);
    const heard = await place.answer('x', { task: 'T-2' });
    expect(heard).toMatchObject({ run: NEWER, result: 'heard' });
    expect(answerLines(heard)).toEqual([`T-2 is tried again: run ${NEWER} has received it and goes on.`]);
    expect(answerLines({ ...heard, result: 'refused' })[0]).toMatch(/^T-2 is not tried again: .* cannot take answers\.$/);
    await letGo();
  });

  it('wait for another run, which the person is told to start, when this one is at its limit', async () => {
    await using place = await openPlace();
    await place.make(OLDER, [...failedTask(1, 'T-1'), left], settings);
    const { question, result } = await place.answer('x', { run: OLDER, task: 'T-1' });
    expect(result).toBe('resume');
    expect(spentLines(question, notDone('max_iterations', 'Maximum iterations reached.'), OLDER)).toEqual([
      `Run ${OLDER} is at its limit. Your words for T-1 are kept; start another run with: ralph work`,
    ]);
    expect(spentLines(question, notDone('stuck', 'T-1 has failed'), OLDER)).toEqual([]);
  });

  it('send back a held claim, which ralph accept would let pass', async () => {
    await using place = await openPlace();
    const nothing = { results: [], changed: [], allowed: [], allowed_by: null, gates: [] };
    const proof = { verdict: 'held', level: 'green', tree: 't', reason: 'a test has changed', ...nothing } as const;
    const parked = [...begun(1, 'T-1'), settled(1), mergeBegun(1), merged(1, { result: 'held', proof }), released(1, 'T-1', 'parked')];
    await place.make(NEWER, [...parked, closed(1, { result: 'red' }), stopped('held', 3)], settings);
    expect(await place.answer('leave the test alone', { task: 'T-1', later: true })).toMatchObject({ result: 'kept', question: { kind: 'held', task: 'T-1' } });
  });

  it('name the task: without one the refusal has the command', async () => {
    await using place = await openPlace();
    await place.make(NEWER, [...failedTask(1, 'T-1'), left], settings);
    await expect(place.answer('x')).rejects.toMatchObject({ code: 'no-question', hint: expect.stringContaining(`ralph answer --run ${NEWER} --task T-1 "…"`) });
    await expect(place.answer('x', { task: 'T-9' })).rejects.toMatchObject({ code: 'no-question' });
  });
});

describe('an answer is refused', () => {
  it.each<[string, string, readonly EventBody[] | null, object]>([
    ['where no run is', 'run-unknown', null, {}],
    ['by a name that no run has', 'run-unknown', [waiting], { run: 'zzzzzz' }],
    ['when nothing was asked', 'no-question', [waiting], {}],
    ['when nothing was asked about that story', 'no-question', [asks('S-1', 'x'), waiting], { task: 'S-9' }],
    ['when it has one already', 'already-answered', [asks('S-1', 'x'), answered(null, 'y'), waiting], {}],
    ['when it has one already about that story', 'already-answered', [asks('S-1', 'x'), answered('S-1', 'y'), waiting], { task: 'S-1' }],
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
