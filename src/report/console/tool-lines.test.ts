import { describe, expect, it } from 'vitest';
import { paint } from '../terminal/paint.ts';
import { emojiGlyphs, type Line, textGlyphs } from './line.ts';
import type { DisplaySettings } from './look.ts';
import { type ToolEnd, toolEndLines, toolStartLines } from './tool-lines.ts';

const emoji: DisplaySettings = { glyphs: emojiGlyphs, outputLines: 3, outputChars: 120, clock: String };
const text: DisplaySettings = { ...emoji, glyphs: textGlyphs };
const shown = (lines: readonly Line[]) => lines.map((line) => paint(line, { width: 0, colour: false, hide: String }));
const end = (over: Partial<ToolEnd>): ToolEnd => ({ name: 'Read', ok: true, output: '', exitCode: null, tookMs: null, ...over });

describe('the line of a tool that starts', () => {
  it.each([
    ['with what it works on', emoji, { file_path: '/path/to/file.go' }, '⏺ Read(/path/to/file.go)'],
    ['alone when it says nothing of that', emoji, {}, '⏺ Read'],
    ['without emoji', text, { file_path: '/path/to/file.go' }, '> Read(/path/to/file.go)'],
  ])('shows %s', (_, look, input, expected) => {
    expect(shown(toolStartLines({ name: 'Read', input }, look))).toEqual([expected]);
  });
});

describe('the lines of a tool that ends', () => {
  it.each([
    ['names its call and its size', emoji, end({ output: 'package main' }), ['✅ Result ← Read (1 lines, 12 chars)', '  ⎿  package main']],
    [
      'is an error with its text',
      emoji,
      end({ name: null, ok: false, output: 'Permission denied' }),
      ['❌ Error (1 lines, 17 chars)', '  ⎿  Permission denied'],
    ],
    ['has text marks without emoji', text, end({ output: 'package main' }), ['[OK] Result ← Read (1 lines, 12 chars)', '  |  package main']],
    ['has a text mark for an error', text, end({ ok: false, output: 'no' }), ['[ERR] Error ← Read (1 lines, 2 chars)', '  |  no']],
    ['says nothing when it succeeded without a word', emoji, end({}), []],
    ['says its exit code when it failed without a word', emoji, end({ ok: false, exitCode: 3 }), ['❌ Error ← Read (exit code 3)']],
    ['says how long it took when times are asked for', emoji, end({ output: 'x', tookMs: 1200 }), ['✅ Result ← Read (1 lines, 1 chars) [1s]', '  ⎿  x']],
  ])('%s', (_, look, event, expected) => {
    expect(shown(toolEndLines(event, look))).toEqual(expected);
  });

  it('show the first lines and count the others', () => {
    const five = end({ output: 'line1\nline2\nline3\nline4\nline5' });
    expect(shown(toolEndLines(five, { ...emoji, outputLines: 2 }))).toEqual([
      '✅ Result ← Read (5 lines, 29 chars)',
      '  ⎿  line1',
      '      line2',
      '  ⎿  ... 3 more lines',
    ]);
  });

  it('leave out blank lines, and still count every line that is not shown', () => {
    const spread = end({ output: '\n\nfirst\n\nsecond\r\n\nthird\n\n' });
    expect(shown(toolEndLines(spread, { ...emoji, outputLines: 2 }))).toEqual([
      '✅ Result ← Read (8 lines, 25 chars)',
      '  ⎿  first',
      '      second',
      '  ⎿  ... 3 more lines',
    ]);
  });

  it('count the whole text even if they show only a page', () => {
    const flood = end({ output: 'row of output\n'.repeat(200_000) });
    expect(shown(toolEndLines(flood, emoji))).toEqual([
      '✅ Result ← Read (200000 lines, 2800000 chars)',
      '  ⎿  row of output',
      '      row of output',
      '      row of output',
      '  ⎿  ... 199997 more lines',
    ]);
  });

  it('cut an endless line at the limit', () => {
    const [, first] = shown(toolEndLines(end({ output: 'x'.repeat(3_000_000) }), emoji));
    expect(first).toBe(`  ⎿  ${'x'.repeat(117)}...`);
  });
});
