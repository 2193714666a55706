import { describe, expect, it } from 'vitest';
import { judged } from '../../../test/support/run-events.ts';
import { merged } from '../../../test/support/work-journal.ts';
import type { Ending } from '../../journal/events/attempt.ts';
import { checkMessage, mergeFailures } from './feedback.ts';

const exited: Ending = { kind: 'exited', code: 1 };
const stopped = (cause: 'deadline' | 'output', detail: string): Ending => ({ kind: 'stopped', cause, detail, code: null, signal: 'SIGTERM' });

describe('the feedback about a red check', () => {
  it.each<[string, Ending, string, string]>([
    ['its output', exited, 'one\ntwo\n', 'one\ntwo'],
    ['its exit code if it printed nothing', exited, '\n', 'Exit code 1, without any output.'],
    ['that it timed out', stopped('deadline', 'still running after 120s'), 'half', 'Timeout (120s)\nhalf'],
    ['that it was stopped', stopped('output', 'more than 4 GiB of output'), '', 'Error: more than 4 GiB of output'],
    ['that it was killed', { kind: 'signalled', signal: 'SIGKILL' }, 'x', 'Error: ended by SIGKILL\nx'],
    ['that it never ran', { kind: 'never-started', reason: 'not-found', message: 'sh was not found' }, '', 'Error: sh was not found'],
    ['that its end is unknown', { kind: 'lost' }, '', 'Error: nobody saw how it ended'],
  ])('has %s', (_name, ending, output, message) => {
    expect(checkMessage({ ending, output, chars: 2000 })).toBe(message);
  });

  it("has the operator's hint first, and never cuts it", () => {
    expect(checkMessage({ ending: exited, hint: 'Mend the cause.', output: 'red', chars: 2 })).toBe('Hint: Mend the cause.\ned');
    expect(checkMessage({ ending: exited, hint: 'Mend the cause.', output: '', chars: 2 })).toBe('Hint: Mend the cause.\nExit code 1, without any output.');
  });

  it('has the hint of a check that is red on a merged result', () => {
    const red = judged(1, [[{ command: 'make lint', failAction: 'APPEND', hint: 'Mend the cause.', timeoutMs: 0 }, 1]]);
    const fact = merged(1, { result: 'red', results: red.type === 'gates.judged' ? red.results : [] });
    expect(fact.type === 'merge.judged' && mergeFailures(fact, 100)).toMatchObject([{ message: expect.stringContaining('Hint: Mend the cause.') }]);
  });

  it('has the end of a long output, in whole characters', () => {
    expect(checkMessage({ ending: exited, output: `${'x'.repeat(5000)}${'𝄞'.repeat(2000)}`, chars: 2000 })).toBe('𝄞'.repeat(2000));
  });
});
