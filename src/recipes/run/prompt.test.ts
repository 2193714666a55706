import { describe, expect, it } from 'vitest';
import type { Failure } from '../../journal/effects/effect.ts';
import { buildPrompt, type PromptRequest } from './prompt.ts';

const build = (request: Partial<PromptRequest>) =>
  buildPrompt({ base: 'base', failures: [], iteration: 3, maximum: 10, includeCount: false, answers: [], ...request });
const append = (message: string): Failure => ({ action: 'APPEND', check: '', message });
const prepend = (message: string): Failure => ({ action: 'PREPEND', check: '', message });
const replace = (message: string): Failure => ({ action: 'REPLACE', check: '', message });

describe('the prompt of a run', () => {
  it.each<[string, Partial<PromptRequest>, string]>([
    ['is the base as it is when nothing failed', { base: '  base\n' }, '  base\n'],
    ['may be blank', { base: ' ' }, ' '],
    ['has what is appended two newlines below', { failures: [append('a')] }, 'base\n\na'],
    ['has what is prepended two newlines above', { failures: [prepend('p')] }, 'p\n\nbase'],
    ['is replaced by what replaces it', { failures: [replace('r')] }, 'r'],
    ['takes several failures in sequence', { failures: [append('a'), prepend('p'), append('b')] }, 'p\n\nbase\n\na\n\nb'],
    ['prepends the later one higher', { failures: [prepend('p'), prepend('q')] }, 'q\n\np\n\nbase'],
    ['loses what stood there before a replacement', { failures: [append('a'), replace('r')] }, 'r'],
    ['goes on from a replacement', { failures: [replace('r'), append('a'), prepend('p')] }, 'p\n\nr\n\na'],
    ['keeps the last of two replacements', { failures: [replace('r'), replace('s')] }, 's'],
    ['begins with the count when asked', { base: 'base prompt', includeCount: true }, 'Iteration 3 of 10, 7 remaining.\n\nbase prompt'],
    ['counts the last iteration down to none', { iteration: 10, includeCount: true }, 'Iteration 10 of 10, 0 remaining.\n\nbase'],
    ['has the count above a prepended failure', { failures: [prepend('p')], includeCount: true }, 'Iteration 3 of 10, 7 remaining.\n\np\n\nbase'],
    ['has the count above a replacement', { failures: [replace('r')], includeCount: true }, 'Iteration 3 of 10, 7 remaining.\n\nr'],
    ['counts without an end when there is no limit', { maximum: 0, includeCount: true }, 'Iteration 3.\n\nbase'],
    ['takes every character of a failure literally', { failures: [append('$& $1 \\n {{x}}')] }, 'base\n\n$& $1 \\n {{x}}'],
  ])('%s', (_name, request, expected) => {
    expect(build(request)).toBe(expected);
  });
});

it('has the answers of people at its end, whatever failed', () => {
  const answers = [{ question: 'Which account?', answer: 'The blue one.' }];
  const prompt = build({ failures: [replace('red')], answers });
  expect(prompt).toMatch(/^red\n\nA person has answered questions about this task\.[\s\S]*Which account\?[\s\S]*The blue one\./);
});
