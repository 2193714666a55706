import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { openPromptEcho, promptLines } from './claim-scanner.ts';

function passed(prompt: readonly string[], lines: readonly string[]): readonly string[] {
  const out: string[] = [];
  const echo = openPromptEcho(prompt, (line) => out.push(line));
  for (const line of lines) echo.line(line);
  echo.end();
  return out;
}

/** The same, slowly: removes the leftmost whole prompt again and again. */
function cutByHand(prompt: readonly string[], lines: readonly string[]): readonly string[] {
  const at = lines.findIndex((_, start) => prompt.every((line, index) => line === lines[start + index]));
  return at === -1 ? lines : [...lines.slice(0, at), ...cutByHand(prompt, lines.slice(at + prompt.length))];
}

describe('an echo of the prompt', () => {
  it('is cut out, and nothing else is', () => {
    const letters = fc.array(fc.constantFrom('a', 'b'), { minLength: 1, maxLength: 5 });
    fc.assert(
      fc.property(letters, fc.array(fc.constantFrom('a', 'b', 'c'), { maxLength: 40 }), (prompt, lines) => {
        expect(passed(prompt, lines)).toEqual(cutByHand(prompt, lines));
      }),
      { seed: 42, numRuns: 2000 },
    );
  });

  it('leaves a mark where its first and last line had more text', () => {
    expect(passed(['one', 'two'], ['Prompt: one', 'two and more'])).toEqual(['Prompt:…', '…and more']);
  });

  it('is not recognised behind a lead that is too long', () => {
    const lines = [`${'x'.repeat(1000)}one`, 'two'];
    expect(passed(['one', 'two'], lines)).toEqual(lines);
  });

  it('passes on every held line exactly once and unchanged', () => {
    const lines = ['label: a', 'a', 'a', 'c'];
    expect(passed(['a', 'a', 'b'], lines)).toEqual(lines);
  });

  it('lets everything pass if the prompt is blank', () => {
    expect(passed(promptLines(' \n\t'), ['a', '', 'b'])).toEqual(['a', '', 'b']);
  });

  it('passes on a line as soon as it cannot be an echo', () => {
    const out: string[] = [];
    const echo = openPromptEcho(['a', 'a', 'b'], (line) => out.push(line));
    for (const line of ['a', 'a', 'a']) echo.line(line);
    expect(out).toEqual(['a']);
    echo.line('c');
    expect(out).toEqual(['a', 'a', 'a', 'c']);
  });
});
