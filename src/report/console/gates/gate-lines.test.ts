import { expect, it } from 'vitest';
import type { GateResult, GatesJudged } from '../../../journal/events/gates.ts';
import { emptyState } from '../../../journal/state/state.ts';
import { textGlyphs } from '../line.ts';
import type { Change, DisplaySettings } from '../look.ts';
import { openGateFeed } from './gate-feed.ts';
import { baselineLines } from './gate-lines.ts';

const MINUTE_MS = 60_000;
const linesOf = (green: boolean, minutes: number) => {
  const result = { gate: { command: 'npm test' }, green, ending: { kind: 'exited', code: 1 }, duration_ms: minutes * MINUTE_MS } as GateResult;
  return baselineLines([result], { glyphs: textGlyphs } as DisplaySettings).map(({ spans }) => spans.map(({ text }) => text).join(''));
};

it.each([true, false])('a slow check says at the start what a proof will cost, and what to do (green: %s)', (green) => {
  expect(linesOf(green, 4)).not.toContainEqual(expect.stringContaining('takes'));
  expect(linesOf(green, 20).at(-1)).toMatch(/npm test takes 20m.*, and two or three times that to prove a claim \(a faster check .*"canary": false/);
});

it('checks that write into the work tree are told once', () => {
  const feed = openGateFeed({ glyphs: textGlyphs } as DisplaySettings, false);
  const judged = (tree: string | null, tree_after: string | null) => {
    const body = { iteration: 1, attempt: 1, where: 'workspace', results: [], tidied: [], tree, tree_after } as unknown as GatesJudged;
    return feed
      .judged(body, { before: emptyState, state: emptyState } as Change)
      .filter(({ spans }) => spans.some(({ text }) => text.includes('write into the work tree')));
  };
  expect([judged('a', 'a'), judged(null, null), judged('a', null)]).toEqual([[], [], []]);
  expect([judged('a', 'b').length, judged('a', 'c').length]).toEqual([1, 0]);
});
