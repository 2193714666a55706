import { describe, expect, it } from 'vitest';
import { line, prose, span } from '../console/line.ts';
import { row, sentence } from '../console/look.ts';
import { paint } from './paint.ts';

const painted = (each: ReturnType<typeof line>, width: number) => paint(each, { width, colour: false, hide: (text) => text });

describe('a line at the edge of the screen', () => {
  const facts = [span('os', 'good'), span(': agents work in a copy of your files', 'dim')];

  it('breaks between words and goes on below them if it is a sentence', () => {
    expect(painted(sentence('sandbox', ...facts), 40)).toBe('  sandbox     os: agents work in a copy\n              of your files');
  });

  it('is left to the terminal if it may hold a command, and is whole where there is no edge', () => {
    const whole = '  sandbox     os: agents work in a copy of your files';
    expect(painted(row('sandbox', ...facts), 40)).toBe(whole);
    expect(painted(prose(span(whole)), 40)).toBe(whole);
    expect(painted(sentence('sandbox', ...facts), 0)).toBe(whole);
  });

  it('does not break before a word that would not fit into the next line either', () => {
    const path = 'x'.repeat(60);
    expect(painted(sentence('folder', span(`in ${path}`)), 40)).toBe(`  folder      in ${path}`);
  });

  it('is cut if it is of less importance', () => {
    expect(painted(line(span('0123456789')), 5)).toBe('0123…');
  });
});
