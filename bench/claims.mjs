// Searching for claims is linear in the output: 32 times the text must cost about 32 times, not 1000.
import { findClaim } from '../.cache/inside/src/proof/claims/claim-scanner.js';
import { report } from './measure.mjs';

const CHARS = 60_000;
const specs = [
  { kind: 'question', word: 'BLOCKED' },
  { kind: 'response', word: 'DONE' },
  { kind: 'promise', word: 'DONE' },
];
const prompt = `${'Go on.\n'.repeat(1000)}Stop.`;
const growing = (count) => Array.from({ length: Math.floor(Math.sqrt(2 * count)) }, (_, length) => `${'`'.repeat(length)}x`).join('');

const texts = {
  'a line of letters': (chars) => 'x'.repeat(chars),
  'a line of spaces': (chars) => ' '.repeat(chars),
  'a line of brackets': (chars) => '<'.repeat(chars),
  'a line of openings': (chars) => '<response>'.repeat(chars / 10),
  'a line of closings': (chars) => '</response>'.repeat(chars / 11),
  'a line of list markers': (chars) => '- '.repeat(chars / 2),
  'a line of backticks': (chars) => '`'.repeat(chars),
  'a line of inline code': (chars) => '`a`<response>'.repeat(chars / 13),
  'a line of backticks that never pair': (chars) => `${growing(chars)}<response>`,
  'lines of openings': (chars) => '<response>\n'.repeat(chars / 11),
  'a line of one long question': (chars) => `<promise>BLOCKED:${'x'.repeat(chars)}</promise>`,
  'lines of empty questions': (chars) => '<promise>BLOCKED:</promise>\n'.repeat(chars / 28),
  'lines of questions that never end': (chars) => '<promise>BLOCKED:\nwhy\n'.repeat(chars / 22),
  'lines of prompt beginnings': (chars) => 'Go on.\n'.repeat(chars / 7),
  'empty lines': (chars) => '\n'.repeat(chars),
};

function fastest(said) {
  const times = Array.from({ length: 5 }, () => {
    const startMs = performance.now();
    findClaim(said, specs, prompt);
    return performance.now() - startMs;
  });
  return Math.min(...times);
}

for (const [name, make] of Object.entries(texts)) {
  fastest(make(CHARS));
  const ratio = fastest(make(32 * CHARS)) / fastest(make(CHARS));
  report(`claims: ${name}`, `${(fastest(make(32 * CHARS)) / 1).toFixed(1)} ms`, `${ratio.toFixed(0)}x`, 'about 32x for 32 times the text');
}
