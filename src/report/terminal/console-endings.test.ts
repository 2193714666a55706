import { describe, expect, it } from 'vitest';
import { loopStarted } from '../../../test/support/loop-journal.ts';
import { lint, type Moment, play, START, settings, spent, started, test } from '../../../test/support/play-on-console.ts';
import { agentBegun, claim, closed, ended, judged, opened } from '../../../test/support/run-events.ts';
import { superviseSettings } from '../../../test/support/supervise-spec.ts';
import { working } from '../../../test/support/work-console.ts';
import type { EventBody } from '../../journal/events/journal-event.ts';
import { notDone } from '../../journal/words/outcome.ts';

describe('an attempt that does not succeed', () => {
  const begin = [started(), opened(1), agentBegun(1, 1)];
  const lastLine = (moments: readonly (EventBody | Moment)[]) => play(moments).trimEnd().split('\n').at(-1);

  it('waits for a usage limit, and says until when', () => {
    const limited = ended(1, { verdict: 'limited', limit_window: 'five_hour', limit_resets_at: START + 17_000 });
    expect(lastLine([...begin, limited])).toBe('Usage limit (five_hour): waiting until 04:41:13 (15s). Not counted as an iteration.');
  });

  it('names the day when the wait is long', () => {
    const limits = { ...settings.limits, limitWaitMs: 0 };
    const limited = ended(1, { verdict: 'limited', limit_resets_at: START + 3 * 86_400_000 });
    expect(lastLine([started({ limits }), opened(1), agentBegun(1, 1), limited])).toMatch(/^Usage limit: waiting until 2026-01-18 \d\d:40:56 \(71h59m58s\)\./);
  });

  it('announces no wait when Ralph will not wait', () => {
    const limited = ended(1, { verdict: 'limited', limit_resets_at: START + 30 * 86_400_000 });
    expect(lastLine([...begin, limited])).toBe('Usage limit: not waited for.');
  });

  it.each([
    [{ verdict: 'empty' }, 'The agent ended without any output. Trying again (2 of 3). Not counted as an iteration.'],
    [{ verdict: 'lost', ending: { kind: 'lost' } }, 'The agent was cut off when the loop died. Trying again (2 of 3). Not counted as an iteration.'],
    [{ verdict: 'failed', why: 'exit code 137' }, '❌ Failed: exit code 137 (tools: 0, errors: 0, time: 2s)'],
    [{ verdict: 'fatal', why: 'The command "claude" was not found.' }, '❌ The command "claude" was not found.'],
  ] as const)('%o is reported in one line', (over, expected) => {
    expect(lastLine([...begin, ended(1, over)])).toBe(expected);
  });

  it('is not retried after the last repeat', () => {
    const again = (attempt: number) => [agentBegun(1, attempt), ended(1, { attempt, key: `agent:1.${attempt}`, verdict: 'empty' })];
    expect(lastLine([started(), opened(1), ...again(1), ...again(2), ...again(3)])).toBe('The agent ended without any output. No further attempt.');
  });
});

describe("the run's own lines", () => {
  it('are never cut at the edge of the terminal', () => {
    const screen = play([started(), opened(1), ended(1, { claim, spent, why: 'x' }), judged(1, [[test, 1]]), closed(1, { claim })], { width: 20 });
    expect(screen).toContain('(cost: $5.76, tokens: 1.2M in (850K cached) / 45K out, tools: 0, errors: 0, time: 2s)');
    expect(screen).toContain('Guardrail end: make test (exit 1, action=APPEND)');
    expect(screen).toContain('Claim "DONE" not accepted: the check is red.');
  });
});

describe('a claim that is not accepted', () => {
  const last = (closing: EventBody, results: EventBody) =>
    play([started(), opened(1), ended(1, { claim }), results, closing])
      .trimEnd()
      .split('\n')
      .at(-1);

  it.each([
    [
      'because all are red',
      closed(1, { claim }),
      judged(1, [
        [lint, 1],
        [test, 1],
      ]),
      'Claim "DONE" not accepted: 2 of 2 checks are red.',
    ],
    ['because the only one is red', closed(1, { claim }), judged(1, [[test, 1]]), 'Claim "DONE" not accepted: the check is red.'],
    [
      'because nothing changed',
      closed(1, { claim, zero_work: true }),
      judged(1, [[test, 0]]),
      'Claim "DONE" not accepted: nothing has changed since the start.',
    ],
    ['because the agent failed', closed(1, { claim, result: 'failed' }), judged(1, [[test, 0]]), 'Claim "DONE" not accepted: the agent failed.'],
  ] as const)('is explained: %s', (_, closing, results, expected) => {
    expect(last(closing, results)).toBe(expected);
  });
});

describe('the end of a run', () => {
  const stopped = (outcome: Extract<EventBody, { type: 'run.stopped' }>['outcome']): EventBody => ({ type: 'run.stopped', outcome });

  it('without completion names what is still red', () => {
    const screen = play([
      started(),
      opened(1),
      ended(1, { spent }),
      judged(1, [[test, 1]]),
      closed(1),
      stopped(notDone('max_iterations', 'Maximum iterations reached without completion response.')),
    ]);
    expect(screen).toContain(`
Maximum iterations reached without completion response.
  outcome     max_iterations (exit 1)
  checks      red: make test (exit 1)
  took        5s, 1 iteration, 1 attempt
  spent       $5.76, tokens 1.2M in (850K cached) / 45K out
`);
  });

  it('says that the word was missing when every check is green', () => {
    const message = 'Maximum iterations reached without completion response.';
    const screen = play([started(), opened(1), ended(1, { spent }), judged(1, [[test, 0]]), closed(1), stopped(notDone('max_iterations', message))]);
    expect(screen).toContain('  checks      green, but the agent never answered DONE: ask for it in the prompt\n');
  });

  it('says for how many iterations a check stayed red', () => {
    const red = (iteration: number): EventBody[] => [
      opened(iteration),
      ended(iteration, { spent }),
      judged(iteration, [[test, 1]]),
      closed(iteration, { claim }),
    ];
    const message = 'Maximum iterations reached: make test was red in the last 2 iterations.';
    const screen = play([started(), ...red(1), ...red(2), stopped(notDone('max_iterations', message))]);
    expect(screen).toContain('  checks      red: make test (exit 1, in the last 2 iterations)\n');
  });

  it('marks a claim without proof, and one without any work', () => {
    const screen = play([
      started({ gates: [] }),
      stopped({ stop_reason: 'completed', message: 'Completion response matched', claim, unproven: true, zero_work: true, signal: null, exit_code: 0 }),
    ]);
    expect(screen).toContain('  claim       "DONE", UNPROVEN: no check was given\n  work        ZERO WORK: nothing has changed since the start\n');
    expect(screen).toContain('  spent       cost none\n');
  });

  it.each([
    ['run', started()],
    ['loop', loopStarted()],
    ['work', working()],
    ['supervise', { ...started(), settings: superviseSettings() } as EventBody],
  ])(
    'after a signal, or a usage limit that is not waited for, names in its last line the command that continues ralph %s, also with --quiet',
    (_recipe, first) => {
      const interrupted = stopped({ ...notDone('interrupted', 'Interrupted by SIGINT', 130), signal: 'SIGINT' });
      const continues = /\n {2}continue {4}ralph runs resume 20260115-044055-abc123\n$/;
      expect(play([first, interrupted])).toMatch(continues);
      expect(play([first, interrupted], { quiet: true })).toMatch(continues);
      expect(play([first, stopped(notDone('rate_limited', 'x'))])).toMatch(continues);
      expect(play([first, stopped(notDone('fatal', 'x', 4))])).not.toMatch(continues);
    },
  );

  it('after a signal says how to stop at once', () => {
    const asked = (what: 'drain' | 'abort', by: string): EventBody => ({ type: 'operator.asked', what, by });
    const screen = play([started(), opened(1), asked('drain', 'SIGINT'), asked('abort', 'SIGINT'), closed(1, { result: 'abandoned' })]);
    expect(screen).toContain(
      '\nReceived signal, shutting down...\nWaiting up to 1m for running agents. Press Ctrl-C again to stop now.\n\nStopping now.\nIteration 1 was left unfinished.\n',
    );
  });
});

describe('work that is done without its commit or push', () => {
  it('is not called completed beside exit code 1', () => {
    const outcome = { ...notDone('completed', 'Completed, but it is not in the version control: push failed', 1), claim };
    const text = play([started(), opened(1), agentBegun(1, 1), ended(1), closed(1), { type: 'run.stopped', outcome }]);
    expect(text).toContain('done, but not committed or pushed (exit 1)');
    expect(text).not.toMatch(/completed \(exit 1\)/);
  });
});
