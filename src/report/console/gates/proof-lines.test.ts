import { expect, it } from 'vitest';
import { testSettings } from '../../../../test/support/run-settings.ts';
import { superviseSpec } from '../../../../test/support/supervise-spec.ts';
import type { RunSettings } from '../../../settings/schema/run-settings.ts';
import { textGlyphs } from '../line.ts';
import type { DisplaySettings } from '../look.ts';
import { levelRows, livingLines, plainProof, proofRows, provedLines } from './proof-lines.ts';

type Gate = Pick<RunSettings['gates'][number], 'command' | 'proof'>;

const levelOf = (level: 'green' | 'living', gates: readonly Gate[], hasTree = true) =>
  levelRows({ proof: { level, mayChange: [] }, gates } as unknown as RunSettings, hasTree).map(({ spans }) => spans.map(({ text }) => text).join(''));

it('the banner promises no more than a proof can show', () => {
  const gate: Gate = { command: 'npm test' };
  expect(levelOf('living', [gate])).toEqual([expect.stringContaining('up to living: ')]);
  expect(levelOf('green', [gate])).toEqual([expect.stringMatching(/green, also in a clean copy/)]);
  expect(levelOf('living', [{ ...gate, proof: 'green' }])).toEqual([expect.not.stringContaining('living')]);
  expect(levelOf('living', [{ ...gate, proof: 'off' }])).toEqual([]);
  expect(levelOf('living', [])).toEqual([]);
  expect(levelOf('living', [gate], false)).toEqual([]);
});

const [plainGate] = testSettings().gates;
const doneWhen = (over: Partial<RunSettings>, gate: Partial<Gate> = {}, hasTree = true) =>
  proofRows({ ...testSettings(over), gates: [{ ...plainGate, ...gate }] } as RunSettings, plainProof, hasTree)
    .map(({ spans }) => spans.map(({ text }) => text).join(''))
    .find((text) => text.includes('done when'))
    ?.split(' green')
    .slice(1)
    .join(' green');

it.each([
  ['up to living, by default', ' (proof: up to living)', doneWhen({ proof: { level: 'living', mayChange: [] } })],
  ['green, if that is asked for', ' (proof: green)', doneWhen({ proof: { level: 'green', mayChange: [] } })],
  ['green, if nothing may be planted', ' (proof: green)', doneWhen({ proof: { level: 'living', mayChange: [] } }, { proof: 'green' })],
  ['green, in place, of a supervised agent', ' (proof: green, in place)', doneWhen({ recipe: 'supervise', supervise: superviseSpec({}) })],
  ['nothing, with --proof off', '', doneWhen({})],
  ['nothing, if a row below says it', '', doneWhen({ proof: { level: 'living', mayChange: [] } }, {}, false)],
])('the row done when says how well a claim can be proven: %s', (_what, word, shown) => {
  expect(shown).toBe(word);
});

it('the row done when names sealed checks as the best proof', () => {
  expect(doneWhen({ proof: { level: 'living', mayChange: [], sealed: '/hidden' } })).toMatch(
    /, and the sealed checks of hidden are satisfied \(proof: up to sealed\)$/,
  );
});

it.each([
  ['docker', 'inside', true],
  ['os', 'host', true],
  ['os', 'inside', false],
] as const)('the banner warns if more than a driver can read the drivers of sealed checks: %s, checks %s', (mode, where, isWarned) => {
  const settings = testSettings({ proof: { level: 'living', mayChange: [], sealed: '/hidden' } });
  const rows = proofRows({ ...settings, wall: { ...settings.wall, mode, gates: where } }, plainProof, true);
  expect(rows.some(({ spans }) => spans.some(({ text }) => text.includes('the drivers of the sealed checks lie in a copy')))).toBe(isWarned);
});

it.each([
  [false, ['npm test is alive: it runs 1 test file', 'more of it failed than was planted, so it may be red anyway', 'npm test takes 20m']],
  [true, ['npm test is alive: it runs 1 test file']],
])('a run that has not seen its checks before says that they may be red, or slow: with a baseline %s', (hasBaseline, said) => {
  const life = { command: 'npm test', state: 'living' as const, files: ['a.test.js'], why: '', red_besides: true as const, slow_ms: 20 * 60_000 };
  const LOOK = { glyphs: textGlyphs } as DisplaySettings;
  const lines = livingLines({ type: 'living.found', key: 'living:start', gates: [life] }, LOOK, { proof: undefined, hasBaseline });
  expect(lines.map(({ spans }) => spans.map(({ text }) => text).join(''))).toEqual(said.map((text) => expect.stringContaining(text)));
});

it('what no planted failure shows is told once: for the checks of all tasks at the start, for those of one task when they have proven it', () => {
  const look = { glyphs: textGlyphs } as DisplaySettings;
  const words = (lines: ReturnType<typeof livingLines>) => lines.map(({ spans }) => spans.map(({ text }) => text).join(''));
  const [common, own] = ['true', 'test -s a.txt'].map((command) => ({ command, state: 'unknown' as const, files: [], why: 'runs no test runner' }));
  if (common === undefined || own === undefined) throw new Error('there are two');
  const found = (key: string) => words(livingLines({ type: 'living.found', key, gates: [own] }, look, { proof: undefined, hasBaseline: false }));
  expect([found('living:start').length, found('living:4.1')]).toEqual([2, []]);
  const proven = { verdict: 'proven', level: 'green', reason: '', gates: [common, own], changed: [] } as const;
  expect(words(provedLines(proven as never, look, [common])).slice(1)).toEqual(['test -s a.txt runs no test runner']);
});
