import { describe, expect, it } from 'vitest';
import { failingTests, fixes } from './agent-turn.ts';

const [minutes, parts, refusal] = fixes.map((fix) => fix.test) as [string, string, string];

describe('the failing tests in a prompt', () => {
  it.each([
    ['TAP', `not ok 2 - ${minutes}\nok 3 - ${parts}\n    not ok 4 - ${refusal} # time=1ms`, [minutes, refusal]],
    ['the spec reporter', `✔ ${minutes} (1.2ms)\n✖ ${parts} (0.8ms)\n✖ failing tests:`, [parts]],
    ['a coloured reporter', `\u001b[31m✖ ${parts} \u001b[90m(0.8ms)\u001b[39m`, [parts]],
    ['no task that only mentions a test', `Make "${parts}" pass.`, []],
  ])('are read from %s', (_, prompt, expected) => {
    expect(failingTests(prompt)).toEqual(expected);
  });
});
