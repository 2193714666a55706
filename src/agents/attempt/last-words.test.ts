import { describe, expect, it } from 'vitest';
import { ANSWERS_TO_AGENTS } from '../../journal/words/claim.ts';
import { lastWords } from './last-words.ts';

describe('the last words of an agent', () => {
  it.each([
    ['I looked at it.\n\nI cannot go on:\nthe key is missing.\n', 'I cannot go on: the key is missing.'],
    ['All tests pass.\n\n<response>DONE</response>', 'All tests pass.'],
    ['<promise>BLOCKED: which account?</promise>', 'BLOCKED: which account?'],
    ['DONE', ''],
    ['', ''],
  ])('are the last paragraph of its message that says more than a word: %j', (message, words) => {
    expect(lastWords(message, 'events')).toBe(words);
  });

  it('are the last line of plain output', () => {
    expect(lastWords('at work now\nno such file: a.txt\nDONE\n', 'lines')).toBe('no such file: a.txt');
  });

  it('are its own, not what a command of Ralph printed for it', () => {
    const noted = `I did what I could.\n✓ T-1 is noted as complete\n  ${ANSWERS_TO_AGENTS.complete}\n`;
    expect(lastWords(noted, 'lines')).toBe('I did what I could.');
    expect(lastWords(`Two accounts would fit.\n${ANSWERS_TO_AGENTS.ask}\n`, 'lines')).toBe('Two accounts would fit.');
  });

  it('cannot act on a terminal, and are cut', () => {
    expect(lastWords('\u001b]0;title\u0007\u001b[2J\u0008it \u001b[31mfailed\u202e\r', 'events')).toMatch(/^\u2408it failed\ufffd/);
    const long = lastWords('word '.repeat(100_000), 'events');
    expect([...long]).toHaveLength(300);
    expect(long.endsWith('…')).toBe(true);
  });
});
