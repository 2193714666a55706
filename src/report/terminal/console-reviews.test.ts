import { describe, expect, it } from 'vitest';
import { gatesRun, lint, type Moment, play, say, started } from '../../../test/support/play-on-console.ts';
import { agentBegun, ended, opened } from '../../../test/support/run-events.ts';
import type { AttemptEnded } from '../../journal/events/attempt.ts';
import type { EventBody } from '../../journal/events/journal-event.ts';

const reviews = { after: 1, retryLimit: 1, prompts: ['detailed', 'security'].map((name) => ({ name, prompt: 'Look.' })) };

function begun(attempt: number, about: string): EventBody {
  const key = `agent:1.${attempt}`;
  return {
    type: 'effect.begun',
    key,
    effect: {
      kind: 'run-agent',
      key,
      iteration: 1,
      attempt,
      role: 'review',
      prompt: 'Look.',
      about,
      failures: [],
      maximum: 10,
      context: null,
      previous_life: null,
      until: null,
      budget_usd: null,
    },
  };
}

const over = (attempt: number, more: Partial<AttemptEnded> = {}) => ended(1, { attempt, role: 'review', ...more });
const gates = (attempt: number, code: number) => gatesRun(1, [[lint, code]], attempt);

/** The screen after the work itself was green. */
function cycle(moments: readonly (EventBody | Moment)[], settings = {}): string {
  const work = [started({ reviews, gates: [lint], ...settings }), opened(1), agentBegun(1, 1), ended(1), ...gates(1, 0)];
  return play([...work, ...moments]).slice(play(work).length);
}

describe('a review cycle on the screen', () => {
  it('names each review and its result', () => {
    const moments = [begun(2, 'detailed'), say('Looks good.'), over(2), ...gates(2, 0), begun(3, 'security'), over(3), ...gates(3, 0)];
    expect(cycle(moments)).toBe(`
--- Starting review cycle ---
[Review: detailed] Starting
Looks good.

✅ Complete (tools: 0, errors: 0, time: 2s)

Guardrail start: make lint
Guardrail end: make lint (exit 0)
[Review: detailed] Guardrails passed
[Review: detailed] Complete

[Review: security] Starting

✅ Complete (tools: 0, errors: 0, time: 2s)

Guardrail start: make lint
Guardrail end: make lint (exit 0)
[Review: security] Guardrails passed
[Review: security] Complete
--- Review cycle complete ---
`);
  });

  it('repeats a review after red guardrails, up to its limit', () => {
    const said = cycle([begun(2, 'detailed'), over(2), ...gates(2, 1), begun(3, 'detailed'), over(3), ...gates(3, 1), begun(4, 'security')]);
    expect(said.split('\n').filter((line) => /^(\[Review|---)/.test(line))).toEqual([
      '--- Starting review cycle ---',
      '[Review: detailed] Starting',
      '[Review: detailed] Guardrails failed, asking again (1 of 1)',
      '[Review: detailed] Guardrail retry limit (1) reached, moving to next review',
      '[Review: security] Starting',
    ]);
  });

  it('continues when an agent fails in it', () => {
    const said = cycle([begun(2, 'detailed'), over(2, { verdict: 'fatal', why: 'not logged in' }), ...gates(2, 0)]);
    expect(said).toContain('\n[Review: detailed] Agent error: not logged in\n');
    expect(said).toContain('[Review: detailed] Guardrails passed\n');
    expect(said).not.toContain('[Review: detailed] Complete');
  });

  it('says that a review starts again after a usage limit, and after an empty answer', () => {
    const said = cycle([begun(2, 'detailed'), over(2, { verdict: 'limited' }), begun(3, 'detailed'), over(3, { verdict: 'empty' }), begun(4, 'detailed')]);
    expect(said).toContain('Usage limit: waiting until ');
    expect(said).toContain('The agent ended without any output. Trying again (2 of 3). Not counted as an iteration.\n');
    expect(said.match(/\[Review: detailed] Starting again\n/g)).toHaveLength(2);
    expect(said.match(/Starting review cycle/g)).toHaveLength(1);
  });

  it('shows no passed guardrails when there are none', () => {
    const said = cycle([begun(2, 'detailed'), over(2), ...gatesRun(1, [], 2)]);
    expect(said).toContain('[Review: detailed] Complete\n');
    expect(said).not.toContain('Guardrails passed');
  });

  it('does not report guardrails that were cut off', () => {
    const [start, ...rest] = gates(2, 1);
    const cut = rest.map((moment) => ('type' in moment && moment.type === 'gates.judged' ? { ...moment, results: moment.results.map(cutOff) } : moment));
    const said = cycle([begun(2, 'detailed'), over(2), ...(start ? [start] : []), ...cut.slice(-1)]);
    expect(said.trimEnd().split('\n').slice(-2)).toEqual(['Guardrail end: make lint (cancelled, action=APPEND)', '  ⎿  .ralph/guardrail_001_make_lint.log']);
  });
});

type Result = Extract<EventBody, { type: 'gates.judged' }>['results'][number];

function cutOff(result: Result): Result {
  return { ...result, ending: { kind: 'stopped', cause: 'cancelled', detail: '', code: null, signal: 'SIGTERM' } };
}
