import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { describe, expect, it } from 'vitest';
import type { EventBody } from '../../src/journal/events/journal-event.ts';
import { gone, makeRun, stopped } from '../support/made-runs.ts';
import { openPty, type Pty } from '../support/pty.ts';
import { openRepo } from '../support/repo.ts';
import { until } from '../support/until.ts';
import { eventsIn, openWorkStage } from '../support/work-stage.ts';

const ASKS =
  'if [ $id$nth = T-21 ]; then echo "<promise>BLOCKED: Which account shall I use?</promise>"; exit; fi; work; if [ $id = T-1 ]; then await go; fi; claim';

/** Waits for a text anywhere in what was written so far. */
const showsOn = (pty: Pty) => (text: string | RegExp) =>
  until(`the screen shows ${text}`, () => pty.screen().search(text) >= 0, 60_000).catch((cause) => {
    throw new Error(`${cause.message}. The screen:\n${pty.screen().slice(-2_500)}`, { cause });
  });

describe('ralph watch', () => {
  it('shows a plan at work on a terminal, takes an answer and a pause, and leaves the terminal as it was', async () => {
    await using stage = await openWorkStage(['T-1', 'T-2'], ASKS);
    const working = stage.begin('--workers', '2');
    await stage.made('calls');
    await using pty = openPty(['watch'], {
      cwd: stage.repo.path,
      beside: stage.repo.beside,
      env: { TERM: 'xterm', XDG_RUNTIME_DIR: stage.repo.beside },
      columns: 90,
    });
    const shows = showsOn(pty);

    await shows(/w\d T-1 Title of T-1 +\S/);
    await shows('asks T-2 Which account shall I use\\?');
    pty.type('\r');
    await shows('Your answer to T-2: _');
    pty.type('the test account\r');
    await shows('T-2 is answered: run \\S+ has received it');
    pty.type('p');
    await shows('is paused: it finishes what has begun');
    // What a second `p` means depends on what the screen knows of the run.
    await shows('work · paused');
    pty.type('p');
    await shows('continues\\.');
    await stage.make('go');
    await shows('completed: ');
    pty.type('q');

    expect(await pty.exitCode()).toBe(0);
    expect((await stage.over(working)).code).toBe(0);
    expect(stage.prompts('T-2').at(-1)).toContain('the test account');
  });

  it('follows the size of the terminal, shows a long question at any, and rewrites the screen in place', async () => {
    await using repo = await openRepo();
    const words = Array.from({ length: 60 }, (_, index) => `word${index}`).join(' ');
    const asks: EventBody = { type: 'question.asked', iteration: 0, story: null, question: { kind: 'question', text: `${words} or not?` } };
    const runsFolder = join(repo.path, '.git', 'ralph', 'runs');
    for (const number of Array(20).keys())
      await makeRun(runsFolder, `20260101-0000${10 + number}-aaaaaa`, { cwd: `/${number}`, after: [asks, stopped('waiting', 3)], writer: gone() });
    const env = { TERM: 'xterm', XDG_RUNTIME_DIR: repo.beside };
    await using pty = openPty(['watch'], { cwd: repo.path, beside: repo.beside, env, columns: 60, rows: 20 });
    // The last one may not be complete yet.
    const frames = () => pty.written().split('\u001b[H').slice(1, -1);
    const rowsOf = (frame: string) => stripVTControlCharacters(frame).trimEnd().split(/\r+\n/);
    const isWhole = (frame: string, columns: number, rows: number) => {
      const shown = rowsOf(frame);
      const fits = shown.length <= rows && shown.every((row) => row.length <= columns) && shown.some((row) => row.length > columns - 10);
      return fits && shown.join(' ').replaceAll(/ +/g, ' ').includes(`${words} or not?`) && shown.at(-1)?.endsWith('q quit') === true;
    };
    const fits = (columns: number, rows: number) =>
      until(`a frame fits ${columns} columns`, () => isWhole(frames().at(-1) ?? '', columns, rows), 40_000).catch((cause) => {
        throw new Error(`${cause.message}\n${rowsOf(frames().at(-1) ?? '').join('\n')}`, { cause });
      });

    await fits(60, 20);
    pty.resize(200, 50);
    await fits(200, 50);
    pty.resize(80, 24);
    await fits(80, 24);
    pty.type('q');
    expect(await pty.exitCode()).toBe(0);
    // Only what is below the rows of a frame is cleared, and only once they are written.
    const clears = ['\u001b[J', '\u001b[1J', '\u001b[2J', '\u001b[3J', '\u001bc'];
    for (const frame of frames()) expect(clears.filter((clear) => frame.slice(0, -'\u001b[J'.length).includes(clear))).toEqual([]);
    expect(pty.written().split('\u001b[?1049h')).toHaveLength(2);
  });

  it('prints changes as lines where there is no terminal, until nothing is at work; once and as JSON on request', async () => {
    await using stage = await openWorkStage(['T-1'], 'work; await go; claim');
    const working = stage.begin();
    await stage.made('calls');
    const watching = stage.start('watch');
    const once = await stage.start('watch', '--once').ended;
    const json = await stage.start('watch', '--json').ended;
    await stage.make('go');
    const { stdout, code } = await watching.ended;
    await stage.over(working);

    expect(once.stdout).toMatch(/^Ralph · 1 at work\n\n {2}\S+ work · running/);
    expect(JSON.parse(json.stdout)).toMatchObject({ runs: [{ recipe: 'work', standing: 'running', workers: [{ worker: 1, subject: 'T-1 Title of T-1' }] }] });
    expect(code).toBe(0);
    expect(stdout).toMatch(/w1 T-1 Title of T-1: .*\n/);
    expect(stdout).toMatch(/completed: .*, 1 of 1 tasks\n$/);
  });
});

const SLIPS = `if [ $id$nth = T-11 ]; then echo broken >T-1.txt; save; await go; claim; exit; fi
if [ $id$nth = T-21 ]; then exit 3; fi
await seen; work; claim`;

describe('--watch', () => {
  const once = (word: string) => ['--agent', `sh ../beside/once.sh ${word}`, '--guardrail', 'test -e done.txt', '--watch'];
  it.each([
    ['run', ['run', '-p', 'Do it.', ...once('DONE')]],
    ['loop', ['loop', 'Do it.', ...once('COMPLETE')]],
    ['work', ['work', '--pause', '0s', '--agent', 'sh ../../beside/agent.sh', '--watch']],
  ])('shows the screen for ralph %s with one worker, and the usual summary when the run has ended', async (recipe, args) => {
    await using stage = await openWorkStage(['T-1'], 'work; await go; claim');
    const { path, beside } = stage.repo;
    await writeFile(join(beside, 'once.sh'), `while [ ! -e ${beside}/go ]; do sleep 0.05; done\necho done >done.txt\necho $1\n`);
    await using pty = openPty(args, { cwd: path, beside, env: { TERM: 'xterm', XDG_RUNTIME_DIR: beside }, columns: 100 });
    const shows = showsOn(pty);

    await shows(new RegExp(`> \\S+ ${recipe} · running`));
    await shows(/w1 .*\d+s\n/);
    expect(pty.screen()).toContain('p pause · d drain · s stop · q quit');
    await stage.make('go');
    expect(await pty.exitCode(60_000), pty.screen().slice(-2_500)).toBe(0);
    const [, after = ''] = pty.written().split('\u001b[?1049l');
    expect(after).toMatch(/complete/i);
  });
});

describe('ralph work with several workers on a terminal', () => {
  it('shows the screen of ralph watch: why a check is red, another try, the cost limit; and then its summary', async () => {
    await using stage = await openWorkStage(['T-1', 'T-2'], SLIPS, {
      files: { 'check.sh': 'if grep -q broken T-1.txt; then echo "T-1 is broken"; exit 1; fi\n' },
    });
    const { path, beside } = stage.repo;
    const words = ['work', '--workers', '2', '--pause', '0s', '--agent', `sh ${beside}/agent.sh`, '--guardrail', 'sh check.sh'];
    await using pty = openPty(words, { cwd: path, beside, env: { TERM: 'xterm', XDG_RUNTIME_DIR: beside }, columns: 100 });
    const shows = showsOn(pty);

    await shows(/w1 T-1 Title of T-1/);
    await shows(/failed T-2 /);
    pty.type('cthe port is free now\r');
    await shows('try T-2 again: the port is free now');
    pty.type('b5\r');
    await shows('raise the cost limit to \\$5\\.00');
    pty.type('q');
    await shows('This is the screen of the run itself');
    await stage.make('go');
    await until('T-1 was red', () => eventsIn(stage, 'gates.judged').length > 0, 60_000);
    // The run comes last, also while a need is still shown.
    const down = '\u001b[B';
    pty.type(down + down + down);
    await shows(/> \S+ work · running/);
    pty.type('o');
    await shows('Why not done yet');
    await shows(/✗ sh check\.sh exit 1.*T-1 is broken/s);
    await stage.make('seen');
    pty.type('x');

    expect(await pty.exitCode(60_000)).toBe(0);
    expect(stage.prompts('T-2').at(-1)).toContain('the port is free now');
    expect(pty.screen()).toMatch(/tasks +2 of 2 completed/);
    expect(stage.processes()).toEqual([]);
  });

  it('prints lines with --plain, and refuses --watch without a terminal', async () => {
    await using stage = await openWorkStage(['T-1', 'T-2'], 'work; claim');
    const { path, beside } = stage.repo;
    const words = ['work', '--workers', '2', '--pause', '0s', '--plain', '--agent', `sh ${beside}/agent.sh`];
    await using pty = openPty(words, { cwd: path, beside, env: { TERM: 'xterm', XDG_RUNTIME_DIR: beside }, columns: 100 });
    expect(await pty.exitCode(60_000)).toBe(0);
    expect(pty.screen()).toMatch(/w\d +.*T-1/);
    expect(pty.screen()).not.toContain('up/down choose');
    expect(await stage.ralph('work', '--watch', '--agent', 'true')).toMatchObject({ code: 2, stderr: expect.stringContaining('--watch needs a terminal') });
  });
});
