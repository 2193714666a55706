import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ClaimSpec } from '../../journal/words/claim.ts';
import { findClaim, openClaimScanner } from './claim-scanner.ts';

const specs: readonly ClaimSpec[] = [
  { kind: 'response', word: 'DONE' },
  { kind: 'promise', word: 'COMPLETE' },
  { kind: 'tag', word: 'FINISHED' },
  { kind: 'question', word: 'BLOCKED' },
];
const runs = { seed: 42, numRuns: 1000 };

const claims = [
  '<response>DONE</response>',
  'DONE',
  '<promise>COMPLETE</promise>',
  '<FINISHED/>',
  'FINISHED',
  '<response>',
  '</response>',
  '<promise>BLOCKED:',
  'no key',
  '</promise>',
];
const scenery = ['', '```', '~~~', '> ', '`', '- ', 'NOT ', '<response>WORKING</response>', 'Fix it.', '…', '\r', 'Then print <response>DONE</response>!'];
const line = fc.array(fc.constantFrom(...claims, ...scenery), { maxLength: 4 }).map((parts) => parts.join(''));
const text = fc.array(line, { maxLength: 12 }).map((lines) => lines.join('\n'));
const quiet = fc.string({ unit: fc.constantFrom('a', 'N', 'O', 'T', '`', '~', '>', '-', ' ', '\n', '\r', '*', '🙂', '/') });

function scan(lines: readonly string[], prompt: string) {
  const scanner = openClaimScanner(specs, prompt);
  for (const next of lines) scanner.line(next);
  return scanner.claim();
}

describe('the claim scanner', () => {
  it('finds the same line by line as in the whole text', () => {
    fc.assert(
      fc.property(text, text, (said, prompt) => {
        expect(scan(said.split('\n'), prompt)).toEqual(findClaim(said, specs, prompt));
      }),
      runs,
    );
  });

  it('answers the same when asked again', () => {
    fc.assert(
      fc.property(text, text, (said, prompt) => {
        const scanner = openClaimScanner(specs, prompt);
        for (const next of said.split('\n')) scanner.line(next);
        expect(scanner.claim()).toEqual(scanner.claim());
      }),
      runs,
    );
  });

  it('finds nothing in a text without tag and word', () => {
    fc.assert(
      fc.property(quiet, text, (said, prompt) => {
        expect(findClaim(said, specs, prompt)).toBeNull();
      }),
      runs,
    );
  });

  it('finds no new claim if a text without tag and word follows', () => {
    fc.assert(
      fc.property(text, quiet, (said, more) => {
        fc.pre(findClaim(said, specs, '') === null);
        expect(findClaim(`${said}\n${more}`, specs, '')).toBeNull();
      }),
      runs,
    );
  });

  it('finds nothing in an echo of the prompt, whatever the prompt is', () => {
    fc.assert(
      fc.property(text, (prompt) => {
        expect(findClaim(prompt, specs, prompt)).toBeNull();
      }),
      runs,
    );
  });

  it('finds the same after an echo of the prompt as without it', () => {
    const label = fc.constantFrom('Fix the parser.', 'Print <response>DONE</response>', '```', 'DONE');
    const prompt = fc.array(label, { minLength: 1, maxLength: 6 }).map((lines) => ['# Task', ...lines].join('\n'));
    fc.assert(
      fc.property(prompt, text, (asked, said) => {
        expect(findClaim(`${asked}\n${said}`, specs, asked)).toEqual(findClaim(said, specs, asked));
      }),
      runs,
    );
  });
});
