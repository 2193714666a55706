import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ClaimSpec } from '../../model/claim.ts';
import { openClaimScanner } from './claim-scanner.ts';
import { findClaim } from './find-claim.ts';

const specs: readonly ClaimSpec[] = [
  { kind: 'response', word: 'DONE' },
  { kind: 'promise', word: 'COMPLETE' },
  { kind: 'tag', word: 'FINISHED' },
];
const runs = { seed: 42, numRuns: 1000 };

const claims = ['<response>DONE</response>', 'DONE', '<promise>COMPLETE</promise>', '<FINISHED/>', 'FINISHED', '<response>', '</response>'];
const scenery = ['', '```', '~~~', '> ', '`', '- ', 'NOT ', '<response>WORKING</response>', 'Fix it.', '…', '\r', 'Then print <response>DONE</response>!'];
const line = fc.array(fc.constantFrom(...claims, ...scenery), { maxLength: 4 }).map((parts) => parts.join(''));
const text = fc.array(line, { maxLength: 12 }).map((lines) => lines.join('\n'));
const quiet = fc.string({ unit: fc.constantFrom('a', 'N', 'O', 'T', '`', '~', '>', '-', ' ', '\n', '\r', '*', '🙂', '/') });

function scan(lines: readonly string[], prompt: string) {
  const scanner = openClaimScanner(specs, prompt);
  for (const next of lines) scanner.line(next);
  return scanner.claim();
}

describe('the scanner', () => {
  it('finds line by line what is found in the whole text', () => {
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

  it('finds no new claim when a text without tag and word follows', () => {
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

  it('finds after an echo of the prompt what it finds without it', () => {
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

describe('the time it takes is linear in', () => {
  const growing = (count: number) => Array.from({ length: Math.floor(Math.sqrt(2 * count)) }, (_, length) => `${'`'.repeat(length)}x`).join('');
  const lines: readonly (readonly [string, (chars: number) => string])[] = [
    ['a line of letters', (chars) => 'x'.repeat(chars)],
    ['a line of spaces', (chars) => ' '.repeat(chars)],
    ['a line of brackets', (chars) => '<'.repeat(chars)],
    ['a line of openings', (chars) => '<response>'.repeat(chars / 10)],
    ['a line of closings', (chars) => '</response>'.repeat(chars / 11)],
    ['a line of list markers', (chars) => '- '.repeat(chars / 2)],
    ['a line of backticks', (chars) => '`'.repeat(chars)],
    ['a line of inline code', (chars) => `${'`a`<response>'.repeat(chars / 13)}`],
    ['a line of backticks that never pair', (chars) => `${growing(chars)}<response>`],
    ['lines of openings', (chars) => '<response>\n'.repeat(chars / 11)],
    ['lines of prompt beginnings', (chars) => 'Go on.\n'.repeat(chars / 7)],
    ['empty lines', (chars) => '\n'.repeat(chars)],
  ];
  const prompt = `${'Go on.\n'.repeat(1000)}Stop.`;

  const fastest = (said: string) => {
    const times = Array.from({ length: 5 }, () => {
      const startedMs = performance.now();
      findClaim(said, specs, prompt);
      return performance.now() - startedMs;
    });
    return Math.min(...times);
  };

  it.each(lines)('%s', (_name, make) => {
    const chars = 20_000;
    fastest(make(chars));
    // 32 times the text is 32 times the work; were each run of backticks searched for in the whole line it would be 180 times, in the square 1000 times.
    expect(fastest(make(32 * chars))).toBeLessThan(100 * Math.max(fastest(make(chars)), 0.05));
  });
});
