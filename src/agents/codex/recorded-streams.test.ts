import { describe, expect, it } from 'vitest';
import { expectRow, hearLines, hearObjects, linesOf, only, type Row, recordedAt, streamNames } from '../../../test/support/recorded-streams.ts';
import { codex } from './index.ts';

/** Every request of the recordings has 1200 input tokens, 800 of them cached, and 50 output tokens. */
const one = [400, 800, 50] as const;
const two = [800, 1600, 100] as const;
const resetsAtMs = Date.UTC(2026, 10, 15, 4, 56);

const rows: readonly Row[] = [
  { stream: 'codex/plain-text', ended: 0, verdict: 'ok', text: 'Hello from the fake model.', tokens: one },
  { stream: 'codex/tool-ok', ended: 0, verdict: 'ok', text: 'All done.', tokens: two, tools: [1, 0] },
  { stream: 'codex/tool-error', ended: 0, verdict: 'ok', text: 'It failed.', tools: [1, 1] },
  { stream: 'codex/parallel-tools', ended: 0, verdict: 'ok', text: 'Done.', tools: [3, 1] },
  { stream: 'codex/tool-output-5mb', ended: 0, verdict: 'ok', text: 'seen', tools: [1, 0] },
  { stream: 'codex/read-only-sandbox', ended: 0, verdict: 'ok', text: 'end' },
  { stream: 'codex/yolo', ended: 0, verdict: 'ok', text: 'end' },
  { stream: 'codex/apply-patch', ended: 0, verdict: 'ok', text: 'Patched.', tools: [2, 0] },
  { stream: 'codex/code-mode', ended: 0, verdict: 'ok', text: 'done', tools: [2, 0] },
  { stream: 'codex/plan', ended: 0, verdict: 'ok', text: 'Tracked.', tools: [0, 0] },
  { stream: 'codex/nohup-child-then-end', ended: 0, verdict: 'ok', text: 'started it' },
  { stream: 'codex/huge-text-20mb', ended: 0, verdict: 'ok' },
  { stream: 'codex/hook-observe', ended: 0, verdict: 'ok', text: 'finished one' },
  { stream: 'codex/hook-stop-block-2', ended: 0, verdict: 'ok', text: 'finished three' },
  { stream: 'codex/hook-pre-deny', ended: 0, verdict: 'ok', text: 'finished one', tools: [0, 0] },
  // The total of the thread, including the turn before the resume.
  { stream: 'codex/flag-resume', ended: 0, verdict: 'ok', text: 'two', tokens: two },
  { stream: 'codex/500-then-ok', ended: 0, verdict: 'ok', text: 'recovered', retries: 0 },
  { stream: 'codex/drop-mid-text', ended: 0, verdict: 'ok', text: 'recovered', retries: 1 },
  { stream: 'codex/empty-body', ended: 0, verdict: 'ok', text: 'second', retries: 1 },
  { stream: 'codex/rate-limit-in-stream', ended: 0, verdict: 'ok', text: 'recovered', retries: 2, limit: null },
  { stream: 'codex/empty-response', ended: 0, verdict: 'empty', cause: 'empty', tokens: one },

  { stream: 'codex/usage-limit', ended: 1, verdict: 'limited', cause: 'waiting (limit)', limit: { resetsAtMs, window: null }, error: 'limit' },
  { stream: 'codex/usage-limit-midrun', ended: 1, verdict: 'limited', cause: 'waiting (limit)', limit: { resetsAtMs, window: null }, text: 'working' },
  { stream: 'codex/429-persistent', ended: 1, verdict: 'limited', cause: 'waiting (limit)', limit: { resetsAtMs: null, window: null }, retries: 5 },

  { stream: 'codex/401', ended: 1, verdict: 'fatal', cause: 'permanent (login)', error: 'auth', retries: 5 },
  { stream: 'codex/quota-in-stream', ended: 1, verdict: 'fatal', cause: 'permanent (credit)', error: 'billing' },

  { stream: 'codex/400-context', ended: 1, verdict: 'failed', cause: 'passing (context)', error: 'context' },
  { stream: 'codex/context-in-stream', ended: 1, verdict: 'failed', cause: 'passing (context)', error: 'context' },
  { stream: 'codex/500-persistent', ended: 1, verdict: 'limited', cause: 'passing (provider)', error: 'transient', retries: 5 },
  { stream: 'codex/503-overloaded', ended: 1, verdict: 'limited', cause: 'waiting (overload)', error: 'overloaded' },
  { stream: 'codex/529-persistent', ended: 1, verdict: 'limited', cause: 'waiting (overload)', error: 'overloaded', retries: 5 },
  { stream: 'codex/drop-persistent', ended: 1, verdict: 'limited', cause: 'passing (provider)', error: 'transient', retries: 5 },
  { stream: 'codex/stop-max-tokens', ended: 1, verdict: 'failed', cause: 'passing (crash)', error: 'other', text: 'cut off' },
  { stream: 'codex/no-server', ended: 'SIGKILL', verdict: 'failed', cause: 'passing (crash)', retries: 6 },
  { stream: 'codex/hang-SIGINT-pid', ended: 1, verdict: 'failed', cause: 'passing (crash)' },
  { stream: 'codex/hang-SIGTERM-pid', ended: 'SIGTERM', verdict: 'failed', cause: 'passing (crash)' },
  { stream: 'codex/hang-SIGHUP-pid', ended: 'SIGHUP', verdict: 'failed', cause: 'passing (crash)' },
  { stream: 'codex/hang-SIGKILL-pid', ended: 'SIGKILL', verdict: 'failed', cause: 'passing (crash)' },
  { stream: 'codex/tool-SIGTERM-group', ended: 'SIGTERM', verdict: 'failed', cause: 'passing (crash)', text: 'running', tools: [1, 0] },
  { stream: 'codex/tool-SIGINT-pid', ended: 1, verdict: 'failed', cause: 'passing (crash)', text: 'running', tools: [1, 0] },
  { stream: 'codex/tool-SIGKILL-pid', ended: 'SIGKILL', verdict: 'failed', cause: 'passing (crash)' },
];

const eventsOf = (stream: string) => hearLines(codex, linesOf(stream)).events;

describe('a recorded codex stream', () => {
  it.each(rows)('$stream is $verdict', (row) => expectRow(codex, row));

  it('has a row for every stream', () => {
    expect(rows.map((row) => row.stream).sort()).toEqual(streamNames('codex').sort());
  });

  it('shows a command with its output and its exit code', () => {
    const events = eventsOf('codex/tool-error');
    expect(only(events, 'tool.started')).toEqual([
      { type: 'tool.started', id: 'item_0', name: 'Bash', input: { command: "/bin/bash -lc 'echo out; echo bad >&2; exit 3'" } },
    ]);
    expect(only(events, 'tool.finished')).toEqual([{ type: 'tool.finished', id: 'item_0', ok: false, exitCode: 3, output: 'out\nbad\n' }]);
  });

  it('names each changed file once, when the change is made', () => {
    expect(only(eventsOf('codex/apply-patch'), 'file.changed')).toEqual([
      { type: 'file.changed', path: '/home/dev/project/b.txt', kind: 'add' },
      { type: 'file.changed', path: '/home/dev/project/b.txt', kind: 'update' },
    ]);
  });

  it('shows the plan whenever it changes', () => {
    const plans = only(eventsOf('codex/plan'), 'todo').map(({ items }) => items.map(({ text, status }) => `${text}: ${status}`));
    expect(plans).toEqual([
      ['First: pending', 'Second: pending'],
      ['First: completed', 'Second: pending'],
      ['First: completed', 'Second: pending'],
    ]);
  });

  it('treats a warning as a note, not as an error', () => {
    expect(only(eventsOf('codex/hook-observe'), 'note')[0]?.text).toMatch(/^`--dangerously-bypass-hook-trust` is enabled/);
  });

  it('reports a retry when it says that it reconnects', () => {
    expect(only(eventsOf('codex/429-persistent'), 'retry')[0]).toEqual({ type: 'retry', attempt: 1, max: 5, status: 429, kind: 'limit' });
    expect(only(eventsOf('codex/401'), 'retry')[4]).toEqual({ type: 'retry', attempt: 5, max: 5, status: 401, kind: 'auth' });
    expect(only(eventsOf('codex/no-server'), 'retry').map(({ attempt, kind }) => [attempt, kind])).toEqual(
      [1, 2, 3, 4, 5, 6].map((attempt) => [attempt, 'transient']),
    );
  });

  it('names a failure once, though two lines contain it', () => {
    const events = eventsOf('codex/usage-limit');
    expect([only(events, 'error').length, only(events, 'rate_limit').length]).toEqual([1, 1]);
  });

  it('gives the end of a limit in its own local time', () => {
    const { limit } = hearLines(codex, linesOf('codex/usage-limit'), { ...recordedAt, timeZone: 'America/New_York' }).summary;
    // 10 pm on the 14th there: 4:55 in the morning is the next one.
    expect(limit?.resetsAtMs).toBe(Date.UTC(2026, 10, 15, 9, 56));
  });

  it('is finished once its turn is over', () => {
    expect(hearLines(codex, linesOf('codex/tool-ok')).settled.indexOf(true)).toBe(linesOf('codex/tool-ok').length - 1);
    expect(hearLines(codex, linesOf('codex/no-server')).settled).not.toContain(true);
  });
});

describe('codex, in lines that were not recorded', () => {
  const hear = (...lines: object[]) => hearObjects(codex, lines);
  const failed = (message: string) => hear({ type: 'turn.failed', error: { message } }).summary;

  it.each([
    ["You've hit your usage limit. Try again at Nov 18th, 2026 4:55 AM.", Date.UTC(2026, 10, 18, 4, 56)],
    ['You’ve hit your usage limit. Upgrade to Pro or try again at 11:05 PM.', Date.UTC(2026, 10, 15, 23, 6)],
    ["You've hit your usage limit. Try again later.", null],
  ])('reads %j', (message, resetsAtMs) => expect(failed(message).limit).toEqual({ resetsAtMs, window: null }));

  it.each([
    ['Your workspace is out of credits. Ask an owner to add more.', 'billing'],
    ['You hit your spend cap for this month.', 'billing'],
    ['unexpected status 404 Not Found: no such model', 'model'],
    ['unexpected status 503 Service Unavailable', 'overloaded'],
    ['unexpected status 500 Internal Server Error', 'transient'],
    ['{"error":{"message":"Unknown key","code":"invalid_api_key"}}', 'auth'],
    ['something else went wrong', 'other'],
  ])('classifies %j as %s', (message, kind) => expect(failed(message).error?.kind).toBe(kind));

  it('does not take the text of a model or a tool for its own', () => {
    const words = "You've hit your usage limit. Try again at 4:55 AM.";
    const { limit, error } = hear(
      { type: 'item.completed', item: { id: 'a', type: 'agent_message', text: words } },
      { type: 'item.completed', item: { id: 'b', type: 'command_execution', command: 'cat', aggregated_output: words, exit_code: 0, status: 'completed' } },
      { type: 'turn.completed', usage: {} },
    ).summary;
    expect({ limit, error }).toEqual({ limit: null, error: null });
  });

  it('opens and closes sub-agents by their threads', () => {
    const call = { id: 'c', type: 'collab_tool_call', status: 'completed', prompt: 'look around', receiver_thread_ids: ['t1', 't2'] };
    const { events } = hear(
      { type: 'item.completed', item: { ...call, tool: 'spawn_agent', agents_states: {} } },
      { type: 'item.completed', item: { ...call, tool: 'wait', agents_states: { t1: { status: 'completed' }, t2: { status: 'running' } } } },
    );
    expect(events.filter(({ type }) => type.startsWith('subagent'))).toEqual([
      { type: 'subagent.started', id: 't1', kind: 'agent', description: 'look around' },
      { type: 'subagent.started', id: 't2', kind: 'agent', description: 'look around' },
      { type: 'subagent.finished', id: 't1' },
    ]);
  });

  it('starts a call that appears only when it is over', () => {
    const { events } = hear({ type: 'item.completed', item: { id: 'w', type: 'web_search', query: 'node 20' } });
    expect(events).toEqual([
      { type: 'tool.started', id: 'w', name: 'WebSearch', input: { query: 'node 20' } },
      { type: 'tool.finished', id: 'w', ok: true, output: '' },
    ]);
  });
});
