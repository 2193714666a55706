import { describe, expect, it } from 'vitest';
import { expectRow, hearLines, linesOf, type Row, streamNames } from '../../../test/support/recorded-streams.ts';
import { opencode } from './index.ts';

/** Every step of the recordings has 400 fresh and 800 cached input tokens, 50 output tokens, and costs $0.0005. */
const rows: readonly Row[] = [
  { stream: 'opencode/plain-text', ended: 0, verdict: 'ok', text: 'Hello from the fake model.', costUsd: 0.0005, tokens: [400, 800, 50] },
  { stream: 'opencode/tool-ok', ended: 0, verdict: 'ok', text: 'All done.', costUsd: 0.0015, tokens: [1200, 2400, 150], tools: [2, 0] },
  { stream: 'opencode/tool-error', ended: 0, verdict: 'ok', text: 'It failed.', costUsd: 0.002, tools: [3, 2] },
  { stream: 'opencode/parallel-tools', ended: 0, verdict: 'ok', text: 'Done.', costUsd: 0.001, tools: [3, 1] },
  { stream: 'opencode/subagent', ended: 0, verdict: 'ok', text: 'Main done: 42.', tools: [1, 0] },
  { stream: 'opencode/todo', ended: 0, verdict: 'ok', text: 'Tracked.' },
  { stream: 'opencode/huge-text-5mb', ended: 0, verdict: 'ok' },
  { stream: 'opencode/429-then-ok', ended: 0, verdict: 'ok', text: 'recovered' },
  { stream: 'opencode/drop-mid-text', ended: 0, verdict: 'ok', text: 'recovered' },
  { stream: 'opencode/hang-mid-no-signal', ended: 0, verdict: 'ok', text: 'recovered' },
  { stream: 'opencode/empty-response', ended: 0, verdict: 'empty', cause: 'empty' },
  // It stops after a refused permission in the middle of its turn, with exit 0.
  { stream: 'opencode/permission-noauto', ended: 0, verdict: 'failed', cause: 'passing (crash)', tools: [1, 1] },
  { stream: 'opencode/401', ended: 1, verdict: 'fatal', cause: 'permanent (login)', error: 'auth' },
  // One second after the line was written, as the provider's retry-after says.
  { stream: 'opencode/429-persistent', ended: 1, verdict: 'limited', cause: 'waiting (limit)', limit: { resetsAtMs: 1794711812218 + 1000, window: null } },
  { stream: 'opencode/500-persistent', ended: 1, verdict: 'limited', cause: 'passing (provider)', error: 'transient' },
  // It waits for an hour without a word, so nothing tells that it has met a limit.
  { stream: 'opencode/429-long-retry-after', ended: 'SIGKILL', verdict: 'failed', cause: 'passing (crash)', limit: null },
  { stream: 'opencode/hang-SIGINT-pid', ended: 'SIGINT', verdict: 'failed', cause: 'passing (crash)' },
  { stream: 'opencode/hang-SIGTERM-group', ended: 'SIGTERM', verdict: 'failed', cause: 'passing (crash)' },
  { stream: 'opencode/tool-SIGINT-pid', ended: 'SIGINT', verdict: 'failed', cause: 'passing (crash)', text: 'running' },
  { stream: 'opencode/tool-SIGKILL-pid', ended: 'SIGKILL', verdict: 'failed', cause: 'passing (crash)', text: 'running' },
  { stream: 'opencode/tool-SIGTERM-group', ended: 'SIGTERM', verdict: 'failed', cause: 'passing (crash)', text: 'running' },
  { stream: 'opencode/hang-SIGKILL-pid', ended: 'SIGKILL', verdict: 'failed', cause: 'passing (crash)' },
];

describe('a recorded opencode stream', () => {
  it.each(rows)('$stream is $verdict', (row) => expectRow(opencode, row));

  it('has a row for every stream', () => {
    expect(rows.map((row) => row.stream).sort()).toEqual(streamNames('opencode').sort());
  });

  it('shows a command as failed by its exit code, although its status is completed', () => {
    const finished = hearLines(opencode, linesOf('opencode/tool-error')).events.filter(({ type }) => type === 'tool.finished');
    expect(finished[0]).toEqual({ type: 'tool.finished', id: 'call_d1866c5914aba162f3', ok: false, exitCode: 3, output: 'out\nbad\n' });
    expect(finished[1]).toEqual({ type: 'tool.finished', id: 'call_3b1b67952e13f779b0', ok: false, output: 'File not found: /nonexistent/x' });
  });

  it('shows its todo list', () => {
    expect(hearLines(opencode, linesOf('opencode/todo')).events.find(({ type }) => type === 'todo')).toEqual({
      type: 'todo',
      items: [
        { id: '1', text: 'First', status: 'in_progress', priority: 'high' },
        { id: '2', text: 'Second', status: 'pending', priority: 'low' },
      ],
    });
  });

  it('is finished with the last step, not with one that waits for tools', () => {
    const { settled } = hearLines(opencode, linesOf('opencode/tool-ok'));
    expect(settled.indexOf(true)).toBe(settled.length - 1);
    expect(hearLines(opencode, linesOf('opencode/permission-noauto')).settled).not.toContain(true);
  });

  it('is not ok when its answer was cut off', () => {
    const cut = JSON.stringify({ type: 'step_finish', sessionID: 's', part: { reason: 'length', tokens: {} } });
    expect(hearLines(opencode, [cut]).summary.terminal).toEqual({ ok: false, reason: 'length' });
  });
});
