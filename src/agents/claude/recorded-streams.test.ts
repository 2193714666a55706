import { describe, expect, it } from 'vitest';
import { expectRow, hearLines, linesOf, only, type Row, streamNames } from '../../../test/support/recorded-streams.ts';
import { claude } from './index.ts';

/** Every request of the recordings costs 1200 + 800 cached input and 50 output tokens: $0.00765 with opus, $0.00459 with sonnet. */
const none = [0, 0, 0] as const;
const one = [1200, 800, 50] as const;
const two = [2400, 1600, 100] as const;
const unknownReset = { resetsAtMs: null, window: null };

const rows: readonly Row[] = [
  { stream: 'claude/stdin-prompt', ended: 0, verdict: 'ok', text: 'got it', reason: 'completed', costUsd: 0.00765, tokens: one },
  { stream: 'claude/tool-ok', ended: 0, verdict: 'ok', text: 'All done.', tokens: [3600, 2400, 150], tools: [2, 0] },
  { stream: 'claude/tool-error', ended: 0, verdict: 'ok', text: 'It failed.', tools: [4, 4] },
  { stream: 'claude/permission-denied', ended: 0, verdict: 'ok', text: 'was denied', tools: [1, 1] },
  { stream: 'claude/thinking', ended: 0, verdict: 'ok', text: 'Final.', tokens: two },
  { stream: 'claude/partial-messages', ended: 0, verdict: 'ok', text: 'End.', tokens: two, tools: [1, 0] },
  { stream: 'claude/json-schema', ended: 0, verdict: 'ok', text: '{"ok":true}' },
  { stream: 'claude/tasks', ended: 0, verdict: 'ok', text: 'Tracked.', costUsd: 0.03825, tools: [6, 0] },
  // The sub-agent's two requests are in the total, but its text is not the agent's.
  { stream: 'claude/subagent', ended: 0, verdict: 'ok', text: 'Main done: 42.', costUsd: 0.0306, tokens: [4800, 3200, 200], tools: [2, 0] },
  // Two results: the totals are those of the last one, not their sum.
  { stream: 'claude/bg-bash-short-then-end', ended: 0, verdict: 'ok', text: 'after', costUsd: 0.022949999999999998, tokens: [3600, 2400, 150] },
  { stream: 'claude/bg-bash-then-end', ended: 0, verdict: 'ok', text: 'started it', costUsd: 0.0153, tokens: two },
  { stream: 'claude/nohup-child-then-end', ended: 0, verdict: 'ok', text: 'started it' },
  { stream: 'claude/huge-text-1mb', ended: 0, verdict: 'ok' },
  // Two recordings in one file, the second overwriting the first: half lines, a failed turn, then a successful one.
  { stream: 'claude/huge-write-5mb', ended: 0, verdict: 'ok', text: 'wrote', unknownLines: 2 },
  { stream: 'claude/stop-max-tokens', ended: 0, verdict: 'ok', text: 'went on' },
  { stream: 'claude/500-then-ok', ended: 0, verdict: 'ok', text: 'recovered', retries: 2 },
  { stream: 'claude/529-fallback-model', ended: 0, verdict: 'ok', text: 'from fallback', retries: 2 },
  { stream: 'claude/drop-before-headers', ended: 0, verdict: 'ok', text: 'recovered', retries: 2 },
  { stream: 'claude/drop-mid-text', ended: 0, verdict: 'ok', text: 'recovered', retries: 0 },
  { stream: 'claude/hang-before-headers-no-signal', ended: 0, verdict: 'ok', text: 'recovered', retries: 1 },
  { stream: 'claude/stream-error-overloaded', ended: 0, verdict: 'ok', text: 'recovered' },
  { stream: 'claude/rate-limit-event-warning', ended: 0, verdict: 'ok', text: 'fine', limit: null },
  { stream: 'claude/usage-limit-retry-watchdog', ended: 0, verdict: 'ok', text: 'after the reset', retries: 1, limit: null },

  {
    stream: 'claude/usage-limit-subscriber',
    ended: 1,
    verdict: 'limited',
    cause: 'waiting (limit)',
    text: '',
    limit: { resetsAtMs: 1794717718000, window: 'five_hour' },
    tokens: none,
  },
  { stream: 'claude/usage-limit-weekly', ended: 1, verdict: 'limited', cause: 'waiting (limit)', limit: { resetsAtMs: 1794969704000, window: 'seven_day' } },
  {
    stream: 'claude/usage-limit-midrun',
    ended: 1,
    verdict: 'limited',
    cause: 'waiting (limit)',
    text: 'working',
    limit: { resetsAtMs: 1794717730000, window: 'five_hour' },
    tokens: one,
  },
  { stream: 'claude/usage-limit-apikey', ended: 1, verdict: 'limited', cause: 'waiting (limit)', limit: unknownReset, error: 'limit' },
  { stream: 'claude/429-persistent', ended: 1, verdict: 'limited', cause: 'waiting (limit)', limit: unknownReset, retries: 10, reason: 'rate_limit' },
  { stream: 'claude/429-retry-after-90', ended: 1, verdict: 'limited', cause: 'waiting (limit)', limit: unknownReset },
  { stream: 'claude-hooks/stopfailure', ended: 1, verdict: 'limited', cause: 'waiting (limit)', limit: unknownReset },

  { stream: 'claude/401', ended: 1, verdict: 'fatal', cause: 'permanent (login)', error: 'auth', retries: 10, reason: 'authentication_failed' },
  { stream: 'claude/401-oauth', ended: 1, verdict: 'fatal', cause: 'permanent (login)', error: 'auth', retries: 2 },
  { stream: 'claude/403', ended: 1, verdict: 'fatal', cause: 'permanent (forbidden)', error: 'forbidden' },
  { stream: 'claude/404-model', ended: 1, verdict: 'fatal', cause: 'permanent (not found)', error: 'model' },
  { stream: 'claude/400-credit', ended: 1, verdict: 'fatal', cause: 'permanent (credit)', error: 'billing' },
  { stream: 'claude/flag-no-key', ended: 1, verdict: 'fatal', cause: 'permanent (login)', error: 'auth', text: '' },

  { stream: 'claude/400-context', ended: 1, verdict: 'failed', cause: 'passing (context)', error: 'context', reason: 'prompt_too_long' },
  { stream: 'claude/529-persistent', ended: 1, verdict: 'limited', cause: 'waiting (overload)', error: 'overloaded', retries: 10 },
  { stream: 'claude/no-server', ended: 1, verdict: 'limited', cause: 'passing (provider)', error: 'transient', retries: 10 },
  { stream: 'claude/429-no-sandbox-env', ended: 'SIGKILL', verdict: 'failed', cause: 'passing (crash)', retries: 6, limit: null },
  { stream: 'claude/401-no-sandbox-env', ended: 'SIGKILL', verdict: 'failed', cause: 'passing (crash)', retries: 6 },
  { stream: 'claude/max-turns', ended: 1, verdict: 'failed', cause: 'passing (turns)', error: 'turns', reason: 'error_max_turns', tokens: two },
  { stream: 'claude/max-budget', ended: 1, verdict: 'failed', cause: 'passing (budget)', error: 'budget', costUsd: 0.022949999999999998, tools: [3, 0] },
  { stream: 'claude/stop-refusal', ended: 1, verdict: 'failed', cause: 'passing (refusal)', error: 'refusal', reason: 'refusal', text: 'I cannot.' },
  {
    stream: 'claude/stop-max-tokens-persistent',
    ended: 1,
    verdict: 'failed',
    cause: 'passing (crash)',
    error: 'other',
    reason: 'max_output_tokens',
    text: 'cut off',
  },
  { stream: 'claude/flag-resume-unknown', ended: 1, verdict: 'failed', cause: 'passing (crash)', reason: 'error_during_execution' },
  { stream: 'claude/tool-SIGINT-pid', ended: 1, verdict: 'failed', cause: 'passing (crash)', reason: 'error_during_execution' },
  { stream: 'claude/tool-SIGTERM-pid', ended: 143, verdict: 'failed', cause: 'passing (crash)', text: 'running', tools: [1, 0], tokens: [1200, 800, 24] },
  { stream: 'claude/tool-SIGHUP-pid', ended: 129, verdict: 'failed', cause: 'passing (crash)', text: 'running', tools: [1, 0], tokens: [1200, 800, 24] },
  { stream: 'claude/tool-SIGKILL-pid', ended: 'SIGKILL', verdict: 'failed', cause: 'passing (crash)', text: 'running', tools: [1, 0], tokens: [1200, 800, 24] },
  { stream: 'claude/hang-SIGKILL-pid', ended: 'SIGKILL', verdict: 'failed', cause: 'passing (crash)', text: '' },
  { stream: 'claude/hang-SIGTERM-group', ended: 143, verdict: 'failed', cause: 'passing (crash)' },
  // Both exit with 0, although a signal ended them in the middle of a turn.
  { stream: 'claude/hang-SIGINT-group', ended: 0, verdict: 'failed', cause: 'passing (crash)', text: 'part', tokens: [1200, 800, 1] },
  { stream: 'claude/hang-SIGINT-pid', ended: 0, verdict: 'empty', cause: 'empty' },

  // A hook kept the prompt from the model, but the result says success and the exit code is 0.
  { stream: 'claude-hooks/prompt-block', ended: 0, verdict: 'failed', cause: 'passing (crash)', reason: 'prevented', text: '' },
  { stream: 'claude-hooks/stop-block-2-no-events', ended: 0, verdict: 'ok', text: 'finished three' },
  { stream: 'claude-hooks/bare', ended: 0, verdict: 'ok', text: 'finished one', tools: [1, 0] },
  { stream: 'claude-hooks/pre-deny', ended: 0, verdict: 'ok', text: 'finished one', tools: [1, 1] },
  { stream: 'claude-hooks/stop-context', ended: 0, verdict: 'ok', text: 'finished two', tools: [1, 0] },
  { stream: 'claude-hooks/stop-exit2', ended: 0, verdict: 'ok', text: 'finished two', tools: [1, 0] },
  { stream: 'claude-hooks/stop-cap-with-work-between', ended: 0, verdict: 'ok', text: 'stop 29', tools: [30, 0] },
  { stream: 'claude-hooks/stop-cap-env-20', ended: 0, verdict: 'ok', text: 'I stop.' },
  { stream: 'claude-hooks/stop-continue-false', ended: 0, verdict: 'ok', text: 'working', reason: 'hook_stopped' },
  { stream: 'claude-hooks/subagent-block', ended: 0, verdict: 'ok', text: 'finished' },
  { stream: 'claude-hooks/skill', ended: 0, verdict: 'ok', text: 'end' },
];

const eventsOf = (stream: string) => hearLines(claude, linesOf(stream)).events;

describe('a recorded claude stream', () => {
  it.each(rows)('$stream is $verdict', (row) => expectRow(claude, row));

  it('has a row for every stream', () => {
    expect(rows.map((row) => row.stream).sort()).toEqual([...streamNames('claude'), ...streamNames('claude-hooks')].sort());
  });

  it.each(['claude/tool-SIGINT-pid', 'claude/hang-SIGINT-group'])('reports no error of its own when it was interrupted: %s', (stream) => {
    expect(only(eventsOf(stream), 'error')).toEqual([]);
    expect(only(eventsOf(stream), 'turn.finished')).toMatchObject([{ ok: false, text: '', reason: 'error_during_execution' }]);
  });

  it('starts its session once, after the hooks that come before its init', () => {
    expect(only(eventsOf('claude/bg-bash-short-then-end'), 'session.started')).toEqual([
      { type: 'session.started', sessionId: '6e7fb918-186c-40eb-a68f-7c78ae23f831', model: 'claude-opus-4-8[1m]' },
    ]);
    expect(eventsOf('claude-hooks/skill')[0]).toMatchObject({ type: 'session.started' });
  });

  it('has a thought, a message, a tool call and its result', () => {
    expect(eventsOf('claude/thinking').slice(1, 5)).toEqual([
      { type: 'reasoning', text: 'Let me consider this carefully.' },
      { type: 'message', text: 'Thought.' },
      { type: 'tool.started', id: 'toolu_c5e6a2a45b733f2e2e', name: 'Bash', input: { command: 'true', description: 'run' } },
      { type: 'tool.finished', id: 'toolu_c5e6a2a45b733f2e2e', ok: true, output: '(Bash completed with no output)' },
    ]);
  });

  it('has the exit code of a command that failed', () => {
    expect(only(eventsOf('claude/tool-error'), 'tool.finished')[0]).toEqual({
      type: 'tool.finished',
      id: 'toolu_0a11c8e5af9f28e46e',
      ok: false,
      exitCode: 3,
      output: 'Exit code 3\nout\nbad',
    });
  });

  it('shows the task list after each change, with ids from the results', () => {
    const lists = only(eventsOf('claude/tasks'), 'todo').map(({ items }) => items.map(({ id, text, status }) => `${id} ${text}: ${status}`));
    expect(lists).toEqual([
      ['1 First task: pending'],
      ['1 First task: pending', '2 Second task: pending'],
      ['1 First task: in_progress', '2 Second task: pending'],
      ['1 First task: completed', '2 Second task: pending'],
      ['1 First task: completed', '2 Second task: completed'],
    ]);
  });

  it('has a sub-agent whose events carry the id of the call that started it', () => {
    const id = 'toolu_26fa02e308f3beb5bb';
    const events = eventsOf('claude/subagent');
    expect(only(events, 'subagent.started')).toEqual([{ type: 'subagent.started', id, kind: 'agent', description: 'find it' }]);
    expect(only(events, 'tool.started').map(({ name, subagent }) => [name, subagent])).toEqual([
      ['Agent', undefined],
      ['Bash', id],
    ]);
    expect(only(events, 'subagent.finished')).toEqual([{ type: 'subagent.finished', id, tokens: 2003 }]);
  });

  it('says why and how long it waits before a retry', () => {
    const [first] = only(eventsOf('claude/529-persistent'), 'retry');
    expect(first).toEqual({ type: 'retry', attempt: 1, max: 10, delayMs: 523, status: 529, kind: 'overloaded' });
    expect(only(eventsOf('claude/401'), 'retry')[0]).toMatchObject({ status: 401, kind: 'auth' });
    expect(only(eventsOf('claude/no-server'), 'retry')[0]).toMatchObject({ kind: 'transient' });
  });

  it('warns of a limit before it is reached', () => {
    expect(only(eventsOf('claude/rate-limit-event-warning'), 'rate_limit')).toEqual([
      { type: 'rate_limit', status: 'warning', resetsAtMs: 1794717704000, window: 'five_hour', utilization: 0.92 },
    ]);
  });

  it('names a failure once, however many lines repeat it', () => {
    expect(only(eventsOf('claude/usage-limit-subscriber'), 'error')).toHaveLength(1);
    expect(only(eventsOf('claude/usage-limit-subscriber'), 'rate_limit')).toHaveLength(1);
  });

  it('gives the reset time from the text of its limit where no structured line has it', () => {
    const withoutEvent = linesOf('claude/usage-limit-subscriber').filter((line) => !line.includes('rate_limit_event'));
    const { limit } = hearLines(claude, withoutEvent).summary;
    expect(limit).toEqual({ resetsAtMs: Date.UTC(2026, 10, 15, 4, 42), window: 'five_hour' });
  });

  it('contains what hooks add to the conversation', () => {
    expect(only(eventsOf('claude-hooks/stop-block-2-no-events'), 'note')[0]).toEqual({
      type: 'note',
      text: 'Stop hook feedback:\nSTOPHOOK-REASON: not finished, go on.',
    });
  });
});

describe('whether a recorded claude stream has finished', () => {
  const settledAt = (stream: string) => hearLines(claude, linesOf(stream)).settled.flatMap((settled, index) => (settled ? [index + 1] : []));

  it('is true after the result', () => {
    expect(settledAt('claude/tool-ok')).toEqual([linesOf('claude/tool-ok').length]);
  });

  it('is false while a background command runs, and once it wakes the model again', () => {
    expect(settledAt('claude/bg-bash-short-then-end')).toEqual([linesOf('claude/bg-bash-short-then-end').length]);
  });

  it('is true again when claude has stopped the command that was left running', () => {
    expect(settledAt('claude/bg-bash-then-end')).toEqual([7, 8]);
  });

  it('is never true without a result', () => {
    expect(settledAt('claude/tool-SIGTERM-pid')).toEqual([]);
  });
});
