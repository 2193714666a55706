import { describe, expect, it } from 'vitest';
import { gatesRun, lint, type Moment, play, started, test } from '../../../test/support/play-on-console.ts';
import { agentBegun, ended, gatesBegun, judged, opened } from '../../../test/support/run-events.ts';
import type { EventBody } from '../../journal/events/journal-event.ts';

const begin = [started(), opened(1), agentBegun(1, 1), ended(1)];
const linesAfter = (moments: readonly (EventBody | Moment)[]) => play(moments).split('s: 0, time: 2s)\n').at(-1);

describe('guardrails on the screen', () => {
  it('appear as soon as they start', () => {
    expect(linesAfter([...begin, gatesBegun(1, [lint, test]), { progress: { type: 'gate.started', attempt: '1.1', gate: lint } }])).toBe(
      '\nGuardrail start: make lint\n',
    );
  });

  it('are shown once, though the journal repeats them', () => {
    expect(
      linesAfter([
        ...begin,
        ...gatesRun(1, [
          [lint, 0],
          [test, 2],
        ]),
      ]),
    ).toBe(`
Guardrail start: make lint
Guardrail end: make lint (exit 0)
Guardrail start: make test
Guardrail end: make test (exit 2, action=APPEND)
  ⎿  .ralph/guardrail_001_make_test.log
`);
  });

  it('say why they are red before they name the log', () => {
    const [body] = [judged(1, [[test, 1]])];
    const red = body?.type === 'gates.judged' ? { ...body, results: body.results.map((result) => ({ ...result, output: 'ok 1\nnot ok 2 - adds\n' })) } : body;
    expect(linesAfter([...begin, gatesBegun(1, [test]), red as EventBody])).toBe(`
Guardrail start: make test
Guardrail end: make test (exit 1, action=APPEND)
     ok 1
     not ok 2 - adds
  ⎿  .ralph/guardrail_001_make_test.log
`);
  });

  it('are shown from the journal when the console did not see them run', () => {
    expect(linesAfter([...begin, gatesBegun(1, [lint]), judged(1, [[lint, 0]])])).toBe(`
Guardrail start: make lint
Guardrail end: make lint (exit 0)
All guardrails passed
`);
  });

  it('do not pass when there are none', () => {
    expect(linesAfter([...begin, ...gatesRun(1, [])])).toBe('');
  });

  it('name their worker when several run at once', () => {
    expect(play([started({ lanes: 2 }), opened(1), agentBegun(1, 1), ended(1), ...gatesRun(1, [[lint, 0]])])).toContain(
      '\nw1 Guardrail start: make lint\nw1 Guardrail end: make lint (exit 0)\n',
    );
  });

  it('are not shown by a quiet console', () => {
    expect(play([...begin, ...gatesRun(1, [[lint, 0]])], { quiet: true })).toBe('');
  });
});
