import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { gone, makeRun, stopped } from '../../../test/support/made-runs.ts';
import { storiesSpec } from '../../../test/support/stories-spec.ts';
import { openThrowAwayFolder } from '../../../test/support/throw-away-folder.ts';
import { workSettings } from '../../../test/support/work-spec.ts';
import type { EventBody } from '../../journal/events/journal-event.ts';
import type { TaskRegister } from '../../journal/words/task-register.ts';
import { registerName } from '../../plans/graph/standing.ts';
import { leaveMessage } from '../../runs/manage/leave-message.ts';
import { openFileRegisters } from '../../store/registers-files.ts';
import { askPerson } from './command/ask.ts';
import { inboxLines } from './command/inbox.ts';
import { readInbox } from './read-inbox.ts';

const [OLDER, NEWER] = ['20990101-000000-aaaaaa', '20990102-000000-bbbbbb'];
const asks = (text: string, story: string | null = null): EventBody => ({ type: 'question.asked', iteration: 1, story, question: { kind: 'question', text } });
const waiting = stopped('waiting', 3);

async function openPlace() {
  const folder = await openThrowAwayFolder();
  const runs = join(folder.path, '.ralph', 'runs');
  return {
    cwd: folder.path,
    runs,
    make: (run: string, after: readonly EventBody[], settings: object = {}) => makeRun(runs, run, { cwd: folder.path, writer: gone(), after, settings }),
    read: (all = false) => readInbox(folder.path, { all }),
    [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose](),
  };
}

describe('the inbox', () => {
  it('is empty where no run is, and says so', async () => {
    await using place = await openPlace();
    expect(inboxLines(await place.read(), 0)).toEqual(['Nothing waits for you.']);
  });

  it('has what waits in every run that is not done, the newest run first, each with its command', async () => {
    await using place = await openPlace();
    await place.make(OLDER, [asks('old?'), waiting]);
    await place.make(NEWER, [asks('new?', 'S-1'), asks('and this?', 'S-2'), waiting], { stories: storiesSpec() });
    await place.make('20990103-000000-cccccc', [asks('asked and done'), stopped('completed', 0)]);
    const { items } = await place.read();
    expect(items.map(({ run, task, text, recipe }) => [run, task, text, recipe])).toEqual([
      [NEWER, 'S-1', 'new?', 'stories'],
      [NEWER, 'S-2', 'and this?', 'stories'],
      [OLDER, null, 'old?', 'run'],
    ]);
    expect(inboxLines({ items, answered: [], unreadable: [] }, 0)).toContain(`  ralph answer --run ${NEWER} --task S-1 "…"`);
  });

  it('counts an answer that the run has not read yet, and shows it with --all', async () => {
    await using place = await openPlace();
    const folder = await place.make(NEWER, [asks('Which?'), waiting]);
    await leaveMessage({ run: NEWER, folder }, { answer: 'This.', story: null, by: 'ann' });
    expect((await place.read()).items).toMatchObject([{ kind: 'stuck', text: 'Its questions are answered, and it waits to be resumed.' }]);
    expect((await place.read(true)).answered).toMatchObject([{ run: NEWER, question: { text: 'Which?', answer: 'This.' } }]);
  });

  it('has a run that died or got stuck, until the next one of its kind is there', async () => {
    await using place = await openPlace();
    await place.make(OLDER, []);
    expect((await place.read()).items).toMatchObject([{ kind: 'stuck', run: OLDER, command: `ralph runs resume ${OLDER}` }]);
    await place.make(NEWER, [stopped('max_iterations')]);
    expect((await place.read()).items).toEqual([]);
  });

  it('leaves out a task that somebody has reset or finished since', async () => {
    await using place = await openPlace();
    const settings = workSettings();
    await place.make(NEWER, [asks('A?', 'A'), asks('B?', 'B'), waiting], settings);
    await mkdir(join(place.cwd, '.ralph', 'registers'), { recursive: true });
    const registers = openFileRegisters(join(place.cwd, '.ralph', 'registers'));
    const holder = { name: `${NEWER}/1`, run: NEWER, lane: 1, process: null };
    const register: TaskRegister = { state: 'parked', holder, key: '', at: 0, branch: null, base: null, tries: 0, feedback: '' };
    const path = settings.work?.plan.path ?? '';
    await registers.put(registerName(path, 'A'), 1, register);
    await registers.put(registerName(path, 'B'), 1, { ...register, state: 'free' });
    expect((await place.read()).items.map(({ task }) => task)).toEqual(['A']);
  });
});

describe('ralph ask', () => {
  it('needs a loop: without one, or when it does not answer, it says so in one line', async () => {
    await expect(askPerson('Which?', {})).rejects.toMatchObject({ code: 'no-loop', exitCode: 2, message: expect.not.stringContaining('\n') });
    const unheard = askPerson('Which?', { RALPH_SOCKET: '/nowhere/a.sock' });
    await expect(unheard).rejects.toMatchObject({ code: 'no-loop', exitCode: 4, hint: expect.stringContaining('<promise>BLOCKED: your question</promise>') });
  });
});
