import { describe, expect, it } from 'vitest';
import type { ProgressEntry } from '../../journal/state/iteration.ts';
import { progressText } from './progress-text.ts';

const first: ProgressEntry = {
  iteration: 1,
  passed: false,
  steps: 8,
  costUsd: 0.0234,
  durationMs: 15_234,
  checks: [
    { command: 'pytest tests/', green: true, flaky: false, line: '' },
    { command: 'ruff check src/', green: false, flaky: false, line: 'src/auth.py:42:1: F841 unused' },
  ],
  error: null,
  restored: [],
};
const second: ProgressEntry = { ...first, iteration: 2, passed: true, steps: 3, costUsd: 0.0089, durationMs: 5_100, checks: first.checks.slice(0, 1) };

describe('the progress text of a loop', () => {
  it('has the form of the seed', () => {
    expect(progressText([first, second])).toBe(`## Iteration 1 — FAIL
- Steps: 8
- Cost: $0.0234
- Duration: 15.2s
- Checks:
  - pytest tests/: PASS
  - ruff check src/: FAIL — src/auth.py:42:1: F841 unused

## Iteration 2 — PASS
- Steps: 3
- Cost: $0.0089
- Duration: 5.1s
- Checks:
  - pytest tests/: PASS`);
  });

  it.each<[string, Partial<ProgressEntry>, string]>([
    ['a cost nobody told', { costUsd: null }, '- Cost: unknown'],
    ['how the agent failed, on one line', { error: `API\ndown${'!'.repeat(300)}`, checks: [] }, `- Error: API down${'!'.repeat(192)}\n- Checks: not run`],
    ['what was put back', { restored: ['tests/a.py', 'ci.yml'] }, '- Protected paths put back: tests/a.py, ci.yml'],
    ['a flaky check', { checks: [{ command: 'x', green: true, flaky: true, line: '' }] }, '  - x: PASS (flaky)'],
    ['a red check without a word', { checks: [{ command: 'x\ny', green: false, flaky: false, line: '' }] }, '  - x y: FAIL'],
    ['green checks of an iteration that is red for another reason', { ...second, passed: false }, '## Iteration 2 — FAIL'],
    ['a red check, whatever the iteration says', { passed: true }, '## Iteration 1 — FAIL'],
  ])('says %s', (_name, over, text) => {
    expect(progressText([{ ...first, ...over }])).toContain(text);
  });

  it('is empty before the first iteration', () => {
    expect(progressText([])).toBe('');
  });
});
