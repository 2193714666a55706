import { describe, expect, it } from 'vitest';
import { expectRow, hearLines, hearObjects, linesOf, type Row, streamNames } from '../../../test/support/recorded-streams.ts';
import { gemini } from './index.ts';

/** Every request of the recordings has 400 fresh and 800 cached input tokens and 50 output tokens. */
const rows: readonly Row[] = [
  { stream: 'gemini/plain-text', ended: 0, verdict: 'ok', text: 'Hello from the fake model.', tokens: [400, 800, 50] },
  { stream: 'gemini/stdin-plus-arg', ended: 0, verdict: 'ok', text: 'got it' },
  { stream: 'gemini/todo', ended: 0, verdict: 'ok', text: 'Tracked.', tokens: [800, 1600, 100], tools: [1, 0] },
  // The command that exits with 3 is a success to gemini; the missing file is not.
  { stream: 'gemini/tool-error', ended: 0, verdict: 'ok', text: 'It failed.', tools: [2, 1] },
  { stream: 'gemini/429-persistent', ended: 173, verdict: 'limited', cause: 'waiting (limit)', limit: { resetsAtMs: null, window: null } },
  { stream: 'gemini/hang-SIGINT-pid', ended: 'SIGKILL', verdict: 'failed', cause: 'passing (crash)', text: 'part' },
  { stream: 'gemini/tool-SIGINT-pid', ended: 'SIGKILL', verdict: 'failed', cause: 'passing (crash)', text: 'running' },
];

const hear = (...lines: object[]) => hearObjects(gemini, lines);
const piece = (content: string) => ({ type: 'message', role: 'assistant', content, delta: true });

describe('a recorded gemini stream', () => {
  it.each(rows)('$stream is $verdict', (row) => expectRow(gemini, row));

  it('has a row for every stream', () => {
    expect(rows.map((row) => row.stream).sort()).toEqual(streamNames('gemini').sort());
  });

  it('shows its todo list', () => {
    expect(hearLines(gemini, linesOf('gemini/todo')).events.find(({ type }) => type === 'todo')).toEqual({
      type: 'todo',
      items: [
        { id: '1', text: 'First', status: 'in_progress' },
        { id: '2', text: 'Second', status: 'pending' },
      ],
    });
  });
});

describe('the pieces of a gemini message', () => {
  it('are reported as one when something else comes', () => {
    const { events } = hear(piece('I will '), piece('look.'), { type: 'tool_use', tool_name: 'ls', tool_id: 't', parameters: {} });
    expect(events.map((event) => (event.type === 'message' ? event.text : event.type))).toEqual(['I will look.', 'tool.started']);
  });

  it('are the answer of the turn they end in', () => {
    const { summary } = hear(piece('All '), piece('done.'), { type: 'result', status: 'success' });
    expect(summary).toMatchObject({ text: 'All done.', terminal: { ok: true } });
  });

  it('are reported when the stream breaks off', () => {
    expect(hear(piece('half a th'), piece('ought')).events).toEqual([{ type: 'message', text: 'half a thought' }]);
  });

  it('are not kept without bound', () => {
    const { events } = hear(...Array.from({ length: 30 }, () => piece('x'.repeat(100_000))));
    expect(events.length).toBeGreaterThan(1);
    expect(events.map((event) => (event.type === 'message' ? event.text.length : 0)).reduce((sum, length) => sum + length)).toBe(3_000_000);
  });
});
