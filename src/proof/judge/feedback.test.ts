import { describe, expect, it } from 'vitest';
import type { Ending } from '../../journal/events/attempt.ts';
import { guardrailMessage, type RedGuardrail } from './feedback.ts';

const lint: RedGuardrail = {
  command: 'make lint',
  ending: { kind: 'exited', code: 1 },
  hint: 'Fix lint errors only. Do not change behavior.',
  logFile: '.ralph/guardrail_001_make_lint.log',
  output: 'a.go:1: unused\n',
  truncateChars: 5000,
};

describe('the feedback about a red guardrail', () => {
  it('has the format that agents know', () => {
    expect(guardrailMessage(lint)).toBe(
      'Guardrail "make lint" failed with exit code 1.\n' +
        'Hint: Fix lint errors only. Do not change behavior.\n' +
        'Output file: .ralph/guardrail_001_make_lint.log\n' +
        'Output (truncated):\n' +
        'a.go:1: unused\n',
    );
  });

  it.each([null, ''])('has no line for a hint that is %j', (hint) => {
    expect(guardrailMessage({ ...lint, hint })).toBe(
      'Guardrail "make lint" failed with exit code 1.\nOutput file: .ralph/guardrail_001_make_lint.log\nOutput (truncated):\na.go:1: unused\n',
    );
  });

  it('cuts the output and says so, but never the hint', () => {
    const message = guardrailMessage({ ...lint, hint: 'h'.repeat(100), output: 'this is a longer output that needs to be truncated', truncateChars: 20 });
    expect(message).toContain(`Hint: ${'h'.repeat(100)}\n`);
    expect(message.endsWith('Output (truncated):\nthis is a longer out... [truncated]')).toBe(true);
  });

  it('counts code points, so that no character is cut in half', () => {
    expect(guardrailMessage({ ...lint, output: '🙂🙂🙂', truncateChars: 2 }).endsWith('\n🙂🙂... [truncated]')).toBe(true);
    expect(guardrailMessage({ ...lint, output: '🙂🙂🙂', truncateChars: 3 }).endsWith('\n🙂🙂🙂')).toBe(true);
  });

  it('has all of the output if there is no limit', () => {
    const output = 'x'.repeat(100_000);
    expect(guardrailMessage({ ...lint, output, truncateChars: 0 }).endsWith(`\n${output}`)).toBe(true);
  });

  it.each([0, -1, 5_000_000])('says that a flood was cut, even at a limit of %i', (truncateChars) => {
    const message = guardrailMessage({ ...lint, output: 'x'.repeat(1_000_001), truncateChars });
    expect(message.endsWith(`\n${'x'.repeat(1_000_000)}... [truncated]`)).toBe(true);
  });

  it('ends with an empty line if there was no output', () => {
    expect(guardrailMessage({ ...lint, output: '' }).endsWith('Output (truncated):\n')).toBe(true);
  });

  it.each<[string, Ending, string]>([
    ['an exit code', { kind: 'exited', code: 42 }, 'failed with exit code 42.'],
    ['a signal', { kind: 'signalled', signal: 'SIGSEGV' }, 'failed: ended by SIGSEGV.'],
    [
      'a time-out',
      { kind: 'stopped', cause: 'deadline', detail: 'still running after 120 s', code: null, signal: 'SIGTERM' },
      'failed: timed out, still running after 120 s.',
    ],
    [
      'a flood',
      { kind: 'stopped', cause: 'output', detail: 'more than 1000 bytes of output', code: null, signal: 'SIGTERM' },
      'failed: stopped, more than 1000 bytes of output.',
    ],
    ['no start', { kind: 'never-started', reason: 'bad-directory', message: 'the folder is gone' }, 'failed: could not be started, the folder is gone.'],
    ['no start, in a sentence', { kind: 'never-started', reason: 'other', message: 'It is too long.' }, 'failed: could not be started, It is too long.'],
    ['an unseen end', { kind: 'lost' }, 'failed: nobody saw how it ended.'],
  ])('names %s in its first line', (_name, ending, expected) => {
    expect(guardrailMessage({ ...lint, ending }).split('\n')[0]).toBe(`Guardrail "make lint" ${expected}`);
  });
});
