import { describe, expect, it } from 'vitest';
import type { Line } from '../../report/console/line.ts';
import { columns } from '../../report/console/look.ts';
import { NEED_KINDS, type Need, needKey } from '../../report/needs/needs.ts';
import { paint } from '../../report/terminal/paint.ts';
import { detailsScreen, type WatchedReport } from './details-screen.ts';
import type { ScreenSize } from './rows.ts';
import { noInput, type WatchInput } from './watch-keys.ts';
import { watchScreen } from './watch-screen.ts';
import type { WatchView } from './watched-run.ts';

const RUN = '20260115-230412-5f3a9c';
const run = (needs: readonly Need[], over: Partial<WatchView> = {}): WatchView => ({
  ...{ run_id: RUN, recipe: 'work', standing: 'running', is_done: false, status: 'running', elapsed_ms: 0, progress: null, left_ms: null },
  ...{ cost_usd: null, cost_estimated: false, cost_per_proven_usd: null, workers: [], needs },
  ...over,
});
const need = (number: number, over: Partial<Need> = {}): Need => ({
  ...{ kind: 'question', run: RUN, task: `T-${number}`, iteration: 1, text: `Question ${number}?`, sinceMs: 0, command: 'ralph answer' },
  ...over,
});

const SIZES = [
  [60, 20],
  [80, 24],
  [200, 50],
] as const;
const sized = (width: number, height: number, hide: ScreenSize['hide'] = (text) => text): ScreenSize => ({ width, height, hide });

/** As the terminal shows it: never more rows than it has, and no row that it would break itself. */
function painted(lines: readonly Line[], { width, height, hide }: ScreenSize): readonly string[] {
  const rows = lines.map((each) => paint(each, { width, colour: false, hide }));
  expect(rows.length).toBeLessThanOrEqual(height);
  for (const row of rows) expect(columns(row)).toBeLessThanOrEqual(width);
  return rows;
}

const screen = (views: readonly WatchView[], input: WatchInput, size: ScreenSize) => painted(watchScreen(views, input, size, 60_000), size);
const words = (rows: readonly string[]) => rows.join(' ').replaceAll(/\s+/g, ' ');

const LONG = `${Array.from({ length: 40 }, (_, index) => `word${index}`).join(' ')} or not?`;

describe.each(SIZES)('on a terminal of %i columns and %i rows', (width, height) => {
  const size = sized(width, height);
  const needs = Array.from({ length: 40 }, (_, index) => need(index, index % 3 === 0 ? { text: LONG } : {}));

  it('the chosen question is shown in full, with what its agent said last; all others in one row', () => {
    const rows = screen(
      [run([need(1, { text: `${LONG}\n- first choice\n- second choice`, said: 'I stopped at the port.' }), need(2, { text: LONG })])],
      noInput,
      size,
    );
    expect(words(rows)).toContain(`${LONG} - first choice - second choice (1m) The agent said: "I stopped at the port."`);
    expect(rows).toContainEqual(expect.stringMatching(/^ {4}- first choice$/));
    expect(rows.filter((row) => /^ {2}asks T-2 /.test(row))).toHaveLength(1);
  });

  it('whichever of many needs is chosen is shown, with the keys below, and it says how many others there are', () => {
    for (const [index, each] of needs.entries()) {
      const rows = screen([run(needs)], { ...noInput, chosen: needKey(each) }, size);
      expect(rows).toContainEqual(expect.stringContaining(`> asks T-${index} `));
      expect(words(rows)).toContain(each.text);
      expect(rows.at(-1)).toMatch(/q quit$/);
      const shown = rows.filter((row) => /^[> ] asks T-/.test(row)).length;
      const others = rows.find((row) => row.startsWith('  … '))?.match(/\d+/g) ?? [];
      expect(others.reduce((sum, number) => sum + Number(number), shown)).toBe(needs.length);
    }
  });

  it('a chosen run is shown, however many there are', () => {
    const runs = Array.from({ length: 60 }, (_, index) => run(index === 0 ? needs : [], { run_id: `run-${index}`, status: LONG }));
    for (const { run_id } of runs) expect(words(screen(runs, { ...noInput, chosen: run_id }, size))).toContain(`> ${run_id} work · ${LONG}`);
  });

  it('a question that is taller than the terminal leaves the prompt, and says which key shows all of it', () => {
    const endless = [run([need(1, { text: LONG.repeat(80) })])];
    const rows = screen(endless, { ...noInput, typing: { what: 'answer', run: RUN, task: 'T-1', text: 'yes' } }, size);
    expect(rows).toContain('  … o shows all of it');
    expect(rows.slice(-2)).toEqual(['Your answer to T-1: yes_', 'enter sends it · escape cancels']);
  });

  it('the end of a long answer is shown while it is typed, and so is all of a message', () => {
    const rows = screen([run(needs)], { ...noInput, typing: { what: 'answer', run: RUN, task: 'T-1', text: `${LONG.repeat(20)} and the end` } }, size);
    expect(words(rows)).toMatch(/Your answer to T-1: .* and the end_ enter sends it/);
    expect(words(rows)).toContain('> asks T-0');
    const message = `Run ${RUN} continues; its output is in /${'folder/'.repeat(20)}continued.log`;
    expect(screen([run(needs)], { ...noInput, message }, size).join('')).toContain(message);
  });

  it('every key is named in full, whatever is chosen', () => {
    for (const kind of NEED_KINDS) {
      const rows = screen([run([need(1, { kind })], { status: 'paused' })], noInput, size);
      const keys = rows.slice(rows.findIndex((row) => row.startsWith('up/down'))).join(' · ');
      expect(keys).not.toContain('…');
      const meant = [
        'n note',
        'x skip',
        'b budget',
        'p continue',
        'd drain',
        's stop',
        'q quit',
        ...(kind === 'held' ? ['enter accept', 'c send back', 'o why'] : []),
      ];
      expect(keys.split(' · ')).toEqual(expect.arrayContaining(meant));
    }
  });

  it('details show every line in full, and what was red before a task was proven', () => {
    const red = { command: 'npm test', ending: 'exit 1', where: 'merged', lines: `AssertionError: ${LONG}` } as const;
    const open = {
      task: 'T-3',
      title: '',
      state: 'asks',
      why: `${LONG}\n- first choice`,
      agent_said: null,
      waits_for_a_person: true,
      branch: null,
      red: [red],
    };
    const report = {
      ...{ title: 'plan', run_id: RUN, not_proven: [open], proven: [], refused: [], timeline: [], totals: { proven: 0, not_proven: 1, cost_usd: 0 } },
      ...{ totals: { proven: 0, not_proven: 1, cost_usd: 0, cost_per_proven_usd: null }, earlier_red: [{ task: 'T-3', iteration: 2, red: [red] }] },
    } as unknown as WatchedReport;
    const pages = [0, 10, 20, 30, 40].flatMap((from) => painted(detailsScreen(report, { task: 'T-3', from, clock: () => '' }, size).rows, size));
    expect(words(pages)).toContain('- first choice');
    expect(pages.filter((row) => /other keys? goe?s? back$/.test(row))).toHaveLength(5);
    const endless = { ...report, refused: Array(2_000).fill({ task: 'T-3', text: 'no' }) } as unknown as WatchedReport;
    expect(painted(detailsScreen(endless, { task: 'T-3', from: 9_999, clock: () => '' }, size).rows, size).at(-1)).toMatch(
      / to (\d+) of \1 · up\/down move · other keys go back$/,
    );
    for (const word of LONG.split(' ')) expect(words(pages)).toContain(word);
    const proven = { ...report, not_proven: [], proven: [{ task: 'T-3', title: '', level: 'green', commit: null }] } as unknown as WatchedReport;
    const rows = painted(detailsScreen(proven, { task: 'T-3', from: 0, clock: () => '' }, size).rows, size);
    expect(words(rows)).toContain(
      `T-3 is proven (green) What was red before, newest first ✗ T-3 iteration 2 ✗ npm test exit 1, in the merged result AssertionError: ${LONG}`,
    );
  });
});

describe('the details of a run of 500 tasks', () => {
  it('show the newest red checks, say how many are left out, and are wrapped once for each width', () => {
    const red = [{ command: 'npm test', ending: 'exit 1', where: 'workspace', lines: LONG }];
    const earlier_red = Array.from({ length: 500 }, (_, nth) => ({ task: `T-${nth}`, iteration: nth, red }));
    const empty = { title: 'a', run_id: RUN, totals: { proven: 0, not_proven: 0, cost_usd: null, cost_per_proven_usd: null } };
    const long = { ...empty, not_proven: [], proven: [], refused: [], timeline: [], earlier_red } as unknown as WatchedReport;
    const size = sized(80, 2_000);
    const shown = (width: number) => detailsScreen(long, { task: null, from: 0, clock: () => '' }, { ...size, width }).rows;
    expect(words(painted(shown(80), size))).toContain('… 470 more: choose a task and press o');
    expect(shown(80)[0]).toBe(shown(80)[0]);
    expect(shown(60).length).toBeGreaterThan(shown(80).length);
  });
});

describe('a terminal that is narrower than it should be', () => {
  it('leaves out whole keys, but not the one that quits', () => {
    const rows = screen([run([need(1, { kind: 'held' })])], noInput, sized(34, 20));
    expect(rows.slice(-2)).toEqual(['up/down choose · enter accept', expect.stringMatching(/^c send back · .*q quit$/)]);
  });
});

describe('a secret that the edge of the screen would break', () => {
  it('is hidden as a whole, also over two lines of a question', () => {
    const secret = 'sk-0123456789 abcdefghijklmnop\nqrstuvwxyz';
    const hidden = sized(60, 20, (text) => text.replaceAll(secret, '[secret]'));
    const rows = words(screen([run([need(1, { text: `${'x'.repeat(40)} ${secret}?` })])], noInput, hidden));
    expect(rows).toContain('[secret]?');
    expect(rows).not.toMatch(/sk-0|klmnop|uvwxyz/);
  });
});
