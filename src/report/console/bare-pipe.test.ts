import { describe, expect, it } from 'vitest';
import { hasBarePipe } from './look.ts';

describe('a bare pipe in a guardrail', () => {
  it.each(['false | tee log', 'make test|tail -5', 'a || b | c', "grep 'a|b' x | head", 'make |& tee log', "a 'unclosed | b"])(
    "'is found in %s'",
    (command) => {
      expect(hasBarePipe(command)).toBe(true);
    },
  );

  it.each([
    'npm test',
    'make lint || make fix',
    "grep -E 'a|b' x",
    'grep -E "a|\\"b|c" x',
    'echo a\\|b',
    'echo a >| log',
    "bash -c 'set -o pipefail; make | tee log'",
    'set -o pipefail; make | tee log',
  ])('is not found in %s', (command) => {
    expect(hasBarePipe(command)).toBe(false);
  });
});
