import { describe, expect, it } from 'vitest';
import { messageLines } from './agent-feed.ts';

const textOf = (text: string) => messageLines(text).map((line) => line.spans.map((span) => span.text).join(''));

describe('a message on the screen', () => {
  it('is shown line by line, with its paragraphs', () => {
    expect(textOf('\nFirst.\n\nSecond.\r\nThird.\n')).toEqual(['First.', '', 'Second.', 'Third.']);
  });

  it('is not shown when it is empty', () => {
    expect(textOf(' \n ')).toEqual([]);
  });

  it('is cut when it is too long, and says how long it was', () => {
    const lines = textOf(`${'word '.repeat(19)}end\n`.repeat(30_000));
    expect(lines.length).toBeLessThanOrEqual(101);
    expect(lines.at(-1)).toBe('... (30000 lines, 2969999 chars in all)');
  });

  it('is cut when it has too many short lines', () => {
    const lines = textOf('x\n'.repeat(1000));
    expect(lines).toHaveLength(101);
    expect(lines.at(-1)).toBe('... (1000 lines, 1999 chars in all)');
  });
});
