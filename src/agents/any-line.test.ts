import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { manyRuns } from '../../test/support/patience.ts';
import { hearLines, linesOf, recordedAt, streamNames } from '../../test/support/recorded-streams.ts';
import { definitions } from './definitions.ts';

/** Words that the parsers look for, so that random input reaches their branches and not only the default. */
const words = fc.constantFrom(
  ...['type', 'subtype', 'message', 'content', 'text', 'tool_use', 'tool_result', 'result', 'assistant', 'user', 'system', 'init', 'item', 'error'],
  ...['item.completed', 'item.started', 'command_execution', 'file_change', 'todo_list', 'collab_tool_call', 'agent_message', 'turn.failed', 'turn.completed'],
  ...['step_finish', 'part', 'tokens', 'usage', 'modelUsage', 'rate_limit_event', 'rate_limit_info', 'api_retry', 'task_started', 'task_updated', 'task_id'],
  ...['__proto__', 'constructor', 'toString', 'stats', 'role', 'delta', 'is_error', 'input', 'todos', 'items', 'changes', 'agents_states', 'status', 'patch'],
  ...[
    'TaskCreate',
    'TaskUpdate',
    'TodoWrite',
    'Agent',
    'name',
    'id',
    'tool_use_id',
    'Reconnecting... 1/5 (x)',
    "You've hit your usage limit. Try again at 4 PM.",
  ],
);
const anyJson = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: 'medium', withCrossShrink: true },
    words,
    fc.constantFrom(null, true, false, 0, -1, 1e308, '', 429, 401),
    fc.string({ maxLength: 20 }),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(words, tie('value'), { maxKeys: 6 }),
  ),
})).value;
const kinds = ['assistant', 'user', 'system', 'result', 'rate_limit_event', 'item.completed', 'error', 'turn.failed', 'step_finish', 'tool_use', 'message'];
const anyObject = fc.tuple(fc.constantFrom(...kinds), fc.dictionary(words, anyJson)).map(([type, rest]) => JSON.stringify({ ...rest, type }));
const anyLine = fc.oneof(
  anyObject,
  anyJson.map((value) => JSON.stringify(value) ?? ''),
  fc.string(),
  fc.string({ unit: 'binary' }),
);

const deep = (depth: number, open: string, close: string) => open.repeat(depth) + close.repeat(depth);

describe.each(definitions.map((definition) => [definition.name, definition] as const))('whatever %s prints', (_name, definition) => {
  it('is parsed without an exception', () => {
    fc.assert(
      fc.property(fc.array(anyLine, { maxLength: 12 }), (lines) => {
        const { events } = hearLines(definition, lines);
        for (const event of events) expect(event.type).toMatch(/^[a-z_.]+$/);
      }),
      manyRuns(500),
    );
  });

  it.each([
    ['nothing', ''],
    ['null', 'null'],
    ['a list', '[1,2,{"type":"result"}]'],
    ['a number', '42'],
    ['half an object', '{"type":"assistant","message":{"content":[{"type":"te'],
    ['NUL and replacement characters', '{"type":"\u0000\ufffd"}\u0000'],
    ['very deep lists', deep(100_000, '[', ']')],
    ['very deep objects', `{"type":"assistant","message":${deep(100_000, '{"a":', '}').replace('}', 'null}')}}`],
    ['only a type', '{"type":"result"}'],
    ['nulls where objects belong', '{"type":"assistant","message":null,"error":null,"item":null,"part":null}'],
  ])('may be %s', (_what, line) => {
    expect(() => hearLines(definition, [line, line])).not.toThrow();
  });

  it('may break off at any character of a recorded stream', () => {
    const [stream = ''] = streamNames('claude').filter((name) => name.endsWith('/tasks'));
    const lines = linesOf(stream);
    for (const [index, line] of lines.entries()) {
      const parser = definition.openParser(recordedAt);
      for (const before of lines.slice(0, index)) parser.line(before);
      expect(() => [parser.line(line.slice(0, Math.floor(line.length / 2))), parser.end(false)]).not.toThrow();
    }
  });
});
