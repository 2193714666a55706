import { describe, expect, it } from 'vitest';
import type { TodoItem } from '../../src/journal/words/agent-event.ts';
import { todoLines } from '../../src/report/console/agent-feed.ts';
import { emojiGlyphs, type Line, textGlyphs } from '../../src/report/console/line.ts';
import type { DisplaySettings } from '../../src/report/console/look.ts';
import { type ToolEnd, toolEndLines, toolStartLines } from '../../src/report/console/tool-lines.ts';
import { paint } from '../../src/report/terminal/paint.ts';
import { play, spent, started } from '../support/play-on-console.ts';
import { agentBegun, ended, opened } from '../support/run-events.ts';

// The screen, which facts-of-the-original.test.ts leaves out.

const emoji: DisplaySettings = { glyphs: emojiGlyphs, outputLines: 3, outputChars: 120, clock: String };
const text: DisplaySettings = { ...emoji, glyphs: textGlyphs };
const shown = (lines: readonly Line[]) => lines.map((line) => paint(line, { width: 0, colour: false, hide: String }));
const start = (input: object, look: DisplaySettings) => shown(toolStartLines({ name: 'Read', input }, look));
const end = (over: Partial<ToolEnd>, look: DisplaySettings) =>
  shown(toolEndLines({ name: 'Read', ok: true, output: '', exitCode: null, tookMs: null, ...over }, look));
const complete = (over: Parameters<typeof ended>[1]) =>
  play([started(), opened(1), agentBegun(1), ended(1, over)])
    .split('\n')
    .at(-2);
const todo: readonly TodoItem[] = [
  { id: '1', text: 'a', status: 'completed', priority: 'high' },
  { id: '2', text: 'b', status: 'in_progress' },
  { id: '3', text: 'c', status: 'pending' },
  { id: '4', text: 'd', status: 'pending' },
];

describe('the screen of the original', () => {
  it.each<[fact: string, here: unknown, expected: unknown]>([
    ['a call', start({ file_path: '/path/to/file.go' }, emoji), ['⏺ Read(/path/to/file.go)']],
    ['a call without input', start({}, emoji), ['⏺ Read']],
    ['a call without emoji', start({ file_path: '/path/to/file.go' }, text), ['> Read(/path/to/file.go)']],
    ['an end', end({ output: 'package main' }, emoji), ['✅ Result ← Read (1 lines, 12 chars)', '  ⎿  package main']],
    ['an error', end({ name: null, ok: false, output: 'Permission denied' }, emoji), ['❌ Error (1 lines, 17 chars)', '  ⎿  Permission denied']],
    ['an end without emoji', end({ output: 'x' }, text), ['[OK] Result ← Read (1 lines, 1 chars)', '  |  x']],
    ['an error without emoji', end({ ok: false, output: 'x' }, text), ['[ERR] Error ← Read (1 lines, 1 chars)', '  |  x']],
    ['an end without a word', end({}, emoji), []],
    [
      'five lines, two shown',
      end({ output: 'line1\nline2\n3\n4\n5' }, { ...emoji, outputLines: 2 }).slice(1),
      ['  ⎿  line1', '      line2', '  ⎿  ... 3 more lines'],
    ],
    [
      'the completion line',
      complete({ spent, tools: 58, tool_errors: 4, duration_ms: 367_000 }),
      '✅ Complete (cost: $5.76, tokens: 1.2M in (850K cached) / 45K out, tools: 58, errors: 4, time: 6m7s)',
    ],
    ['without cost', complete({ spent: { ...spent, cost_usd: 0 } }), '✅ Complete (tokens: 1.2M in (850K cached) / 45K out, tools: 0, errors: 0, time: 2s)'],
    [
      'without a cache',
      complete({ spent: { ...spent, cache_read: 0, cost_usd: 0 } }),
      '✅ Complete (tokens: 350K in / 45K out, tools: 0, errors: 0, time: 2s)',
    ],
    ['without tokens', complete({ spent: { ...spent, input: 0, cache_read: 0, output: 0 } }), '✅ Complete (cost: $5.76, tools: 0, errors: 0, time: 2s)'],
    [
      'the todo list',
      shown(todoLines(todo, emoji)).slice(1, -1),
      ['📋 Todo List', '  ✅ a [high]', '  🔄 b ← ACTIVE', '  ⏸️ c', '  ⏸️ d', '', '  📊 Progress: 1/4 (25%) | 1 active, 2 pending'],
    ],
    ['its boxes', shown(todoLines(todo.slice(0, 3), text)).slice(2, 5), ['  [x] a [high]', '  [>] b ← ACTIVE', '  [ ] c']],
  ])('%s', (_fact, here, expected) => {
    expect(here).toEqual(expected);
  });
});
