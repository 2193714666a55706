import { describe, expect, it } from 'vitest';
import type { TodoItem } from '../../journal/words/agent-event.ts';
import { paint } from '../terminal/paint.ts';
import { todoLines } from './agent-feed.ts';
import { emojiGlyphs, textGlyphs } from './line.ts';

const look = { glyphs: emojiGlyphs, outputLines: 3, outputChars: 120, clock: String };
const shown = (items: readonly TodoItem[], glyphs = emojiGlyphs) =>
  todoLines(items, { ...look, glyphs }).map((line) => paint(line, { width: 0, colour: false, hide: String }));

const items: readonly TodoItem[] = [
  { id: '1', text: 'Read the file', status: 'completed' },
  { id: '2', text: 'Edit the code', status: 'in_progress' },
  { id: '3', text: 'Run tests', status: 'pending' },
  { id: '4', text: 'Report', status: 'pending' },
];

describe('the todo list', () => {
  it('shows every item and its progress', () => {
    expect(shown(items)).toEqual([
      '',
      '📋 Todo List',
      '  ✅ Read the file',
      '  🔄 Edit the code ← ACTIVE',
      '  ⏸️ Run tests',
      '  ⏸️ Report',
      '',
      '  📊 Progress: 1/4 (25%) | 1 active, 2 pending',
      '',
    ]);
  });

  it('has boxes instead of emoji when emoji are off', () => {
    expect(shown(items.slice(0, 3), textGlyphs)).toEqual([
      '',
      'Todo List',
      '  [x] Read the file',
      '  [>] Edit the code ← ACTIVE',
      '  [ ] Run tests',
      '',
      '  Progress: 1/3 (33%) | 1 active, 1 pending',
      '',
    ]);
  });

  it('names a priority other than the default', () => {
    const ranked = items.map((item, index) => ({ ...item, priority: (['high', 'low', 'medium', 'medium'] as const)[index] ?? 'medium' }));
    expect(shown(ranked).slice(2, 5)).toEqual(['  ✅ Read the file [high]', '  🔄 Edit the code [low] ← ACTIVE', '  ⏸️ Run tests']);
  });

  it('is not shown when it is empty', () => {
    expect(shown([])).toEqual([]);
  });

  it('shows at most a page, and counts the rest', () => {
    const many = Array.from({ length: 500 }, (_, index): TodoItem => ({ id: `${index}`, text: 'x'.repeat(1000), status: 'pending' }));
    const lines = shown(many);
    expect(lines).toHaveLength(36);
    expect(lines[2]).toBe(`  ⏸️ ${'x'.repeat(67)}...`);
    expect(lines.slice(-4)).toEqual(['  ... 470 more', '', '  📊 Progress: 0/500 (0%) | 0 active, 500 pending', '']);
  });
});
