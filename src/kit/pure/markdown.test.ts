import { describe, expect, it } from 'vitest';
import { codeSpan, fenced } from './text.ts';

describe('a code block', () => {
  it.each([
    ['text', '```\ntext\n```'],
    ['text\n', '```\ntext\n```'],
    ['```\nout', '````\n```\nout\n````'],
    ['a `````` b', '```````\na `````` b\n```````'],
  ])('of %j cannot be closed by its content', (content, block) => {
    expect(fenced(content)).toBe(block);
  });

  it('names its language', () => {
    expect(fenced('+1', 'diff')).toBe('```diff\n+1\n```');
  });
});

describe('inline code', () => {
  it.each([
    ['npm test', '`npm test`'],
    ['echo `date`', '`` echo `date` ``'],
    ['a `b` c', '``a `b` c``'],
    ['two\nlines', '`two lines`'],
  ])('of %j is one line', (text, code) => {
    expect(codeSpan(text)).toBe(code);
  });
});
