import { describe, expect, it } from 'vitest';
import { hearObjects, only } from '../../../test/support/recorded-streams.ts';
import { streamJson } from './index.ts';

const hear = (...lines: object[]) => hearObjects(streamJson, lines);
const call = (id: string, name: string, input: object) => ({ type: 'assistant', message: { content: [{ type: 'tool_use', id, name, input }] } });
const answer = (id: string, result: object, isError = false) => ({
  type: 'user',
  message: { content: [{ type: 'tool_result', tool_use_id: id, content: 'x', is_error: isError }] },
  tool_use_result: result,
});
const result = (more: object = {}) => ({ type: 'result', subtype: 'success', is_error: false, result: 'Done.', ...more });
const todos = (...lines: object[]) => only(hear(...lines).events, 'todo').map(({ items }) => items.map(({ id, text, status }) => `${id} ${text}: ${status}`));

describe('the todo list of a stream-json run', () => {
  it('is what TodoWrite says, as a whole', () => {
    const items = [
      { content: 'Read', status: 'completed', activeForm: 'Reading' },
      { content: 'Write', status: 'in_progress', activeForm: 'Writing' },
      { content: 'Test', status: 'pending', activeForm: 'Testing' },
    ];
    expect(todos(call('a', 'TodoWrite', { todos: items }))).toEqual([['1 Read: completed', '2 Write: in_progress', '3 Test: pending']]);
  });

  it('keeps the priorities of older lists, and no others', () => {
    const named = (priority: unknown) => ({ content: 'Write', status: 'pending', priority });
    const { events } = hear(call('a', 'TodoWrite', { todos: [named('high'), named('medium'), named('urgent'), named(1)] }));
    expect(only(events, 'todo')[0]?.items.map(({ priority }) => priority)).toEqual(['high', 'medium', undefined, undefined]);
  });

  it('loses a deleted task and takes the new name of a renamed one', () => {
    const lists = todos(
      call('a', 'TaskCreate', { subject: 'One' }),
      answer('a', { task: { id: '1', subject: 'One' } }),
      call('b', 'TaskCreate', { subject: 'Two' }),
      answer('b', { task: { id: '2', subject: 'Two' } }),
      call('c', 'TaskUpdate', { taskId: '1', status: 'deleted' }),
      answer('c', { success: true, taskId: '1' }),
      call('d', 'TaskUpdate', { taskId: '2', subject: 'Second' }),
      answer('d', { success: true, taskId: '2' }),
    );
    expect(lists.slice(2)).toEqual([['2 Two: pending'], ['2 Second: pending']]);
  });

  it('is not changed by a failed call', () => {
    const lists = todos(
      call('a', 'TaskCreate', { subject: 'One' }),
      answer('a', { task: { id: '1', subject: 'One' } }),
      call('b', 'TaskUpdate', { taskId: '1', status: 'completed' }),
      answer('b', { success: false, taskId: '1' }),
      call('c', 'TaskUpdate', { taskId: '1', status: 'completed' }),
      answer('c', {}, true),
    );
    expect(lists).toEqual([['1 One: pending']]);
  });
});

describe('a limit in a stream-json run', () => {
  const limitText = "You've hit your session limit · resets 4:41am (UTC)";

  it('is not detected in the text of a model or the output of a tool', () => {
    const { limit, error } = hear(
      { type: 'assistant', message: { content: [{ type: 'text', text: limitText }] } },
      { type: 'user', message: { content: [{ type: 'tool_result', tool_use_id: 'a', content: limitText }] } },
      result({ result: limitText }),
    ).summary;
    expect({ limit, error }).toEqual({ limit: null, error: null });
  });

  it('is detected in the result of a failed turn of an older version', () => {
    const { limit } = hear(result({ is_error: true, result: 'Claude AI usage limit reached|1794717718' })).summary;
    expect(limit).toEqual({ resetsAtMs: 1794717718000, window: null });
  });

  it('is only a warning while paid overage lets the work go on', () => {
    const info = { status: 'rejected', resetsAt: 1794717718, rateLimitType: 'five_hour', isUsingOverage: true };
    const { events, summary } = hear({ type: 'rate_limit_event', rate_limit_info: info });
    expect(only(events, 'rate_limit')[0]?.status).toBe('warning');
    expect(summary.limit).toBeNull();
  });

  it('belongs to the sub-agent that reached it until its caller reaches it too', () => {
    const line = { type: 'assistant', error: 'rate_limit', parent_tool_use_id: 'a', message: { content: [{ type: 'text', text: limitText }] } };
    expect(hear(line).events).toEqual([{ type: 'note', text: limitText }]);
  });
});

describe('a stream-json run of an agent without totals', () => {
  const turn = { usage: { input_tokens: 100, output_tokens: 50, cache_read_input_tokens: 80, cache_creation_input_tokens: 7 } };

  it('has the sum of its turns', () => {
    expect(hear(result(turn)).summary.usage).toEqual({ input: 100, cacheRead: 80, cacheWrite: 7, output: 50 });
    expect(hear(result(turn), result(turn)).summary.usage).toEqual({ input: 200, cacheRead: 160, cacheWrite: 14, output: 100 });
  });

  it('has failed when its subtype says so, with the text of its error', () => {
    const { summary } = hear({ type: 'result', subtype: 'error_during_execution', error: 'boom', is_error: true });
    expect(summary).toMatchObject({ terminal: { ok: false, reason: 'error_during_execution' }, error: { kind: 'other', message: 'boom' } });
  });
});

describe('a stream-json run that was killed', () => {
  const usage = { input_tokens: 100, cache_read_input_tokens: 80, cache_creation_input_tokens: 7, output_tokens: 1 };
  const says = (id: string, text: string, more: object = {}) => ({ type: 'assistant', message: { id, content: [{ type: 'text', text }], usage }, ...more });
  const used = (...lines: object[]) => hear(...lines).summary.usage;

  it('has used what its messages tell, once for all lines of a message', () => {
    expect(used(says('a', 'x'.repeat(40)), says('a', 'x'.repeat(40)), says('b', ''))).toEqual({ input: 200, cacheRead: 160, cacheWrite: 14, output: 21 });
  });

  it('counts the lines of sub-agents that come mixed with its own', () => {
    const child = says('b', '', { parent_tool_use_id: 'call' });
    expect(used(says('a', ''), child, says('a', ''), child)).toEqual({ input: 200, cacheRead: 160, cacheWrite: 14, output: 2 });
  });

  it('counts every message of a long run', () => {
    expect(used(...Array.from({ length: 500 }, (_, n) => says(`m${n}`, '')))).toMatchObject({ input: 50_000, output: 500 });
  });

  it('adds what it used after its last result, and keeps the cost that was told', () => {
    const totals = { modelUsage: { m: { inputTokens: 1000, outputTokens: 500 } }, total_cost_usd: 0.5 };
    expect(used(says('a', ''), result(totals))).toEqual({ input: 1000, cacheRead: 0, cacheWrite: 0, output: 500, costUsd: 0.5 });
    const rest = { input: 100, cacheRead: 80, cacheWrite: 7, output: 1 };
    const all = { input: 1100, cacheRead: 80, cacheWrite: 7, output: 501 };
    expect(used(says('a', ''), result(totals), says('b', ''))).toEqual({ ...all, costUsd: 0.5, afterCost: rest });
    expect(used(says('a', ''), result({ modelUsage: totals.modelUsage }), says('b', ''))).toEqual(all);
  });

  it('believes its messages rather than a result that tells of nothing', () => {
    expect(used(says('a', ''), result({ modelUsage: {}, total_cost_usd: 0 }))).toEqual({ input: 100, cacheRead: 80, cacheWrite: 7, output: 1 });
    expect(used(says('a', ''), result({ total_cost_usd: 0.5 }))).toMatchObject({ costUsd: 0.5 });
  });
});

describe('the end of a stream-json run', () => {
  const started = { type: 'system', subtype: 'task_started', task_id: 't', tool_use_id: 'a', description: 'look', task_type: 'local_agent' };

  it('waits for a sub-agent in the background', () => {
    const { settled } = hear(
      call('a', 'Agent', { description: 'look' }),
      started,
      answer('a', { status: 'running' }),
      result(),
      { type: 'system', subtype: 'task_updated', task_id: 't', patch: { status: 'running' } },
      { type: 'system', subtype: 'task_updated', task_id: 't', patch: { status: 'completed' } },
      { type: 'system', subtype: 'task_notification', task_id: 't', status: 'completed' },
      { type: 'system', subtype: 'init' },
      result(),
    );
    expect(settled).toEqual([false, false, false, false, false, false, false, false, true]);
  });

  it('waits for a task that is only reported as running', () => {
    const running = { type: 'system', subtype: 'task_updated', task_id: 't', patch: { status: 'running' } };
    expect(hear(started, running, { ...running, patch: { title: 'x' } }, result()).settled.at(-1)).toBe(false);
  });

  it('is undone by any later line, even one that is not JSON', () => {
    expect(hear(result(), { type: 'system', subtype: 'status' }).settled).toEqual([true, false]);
    const parser = streamJson.openParser({ nowMs: () => 0, timeZone: 'UTC' });
    parser.line(JSON.stringify(result()));
    parser.line('Bye.');
    expect(parser.settled()).toBe(false);
  });

  it('does not wait for a sub-agent without task events once its call is answered', () => {
    const { events } = hear(call('a', 'Task', { description: 'look' }), answer('a', {}));
    expect(events.map(({ type }) => type)).toEqual(['tool.started', 'subagent.started', 'tool.finished', 'subagent.finished']);
  });
});

describe('a line of a stream-json run', () => {
  it('of an unknown kind is kept, and the run goes on', () => {
    const { events, summary } = hear({ type: 'prompt_suggestion', text: 'x' }, { type: 'system', subtype: 'brand_new' }, result());
    expect(only(events, 'raw')).toEqual([
      { type: 'raw', line: '{"type":"prompt_suggestion","text":"x"}' },
      { type: 'raw', line: '{"type":"system","subtype":"brand_new"}' },
    ]);
    expect(summary).toMatchObject({ unknownLines: 2, terminal: { ok: true } });
  });

  it('that is too long is shown in part', () => {
    const [event] = hear({ type: 'new', text: 'x'.repeat(5000) }).events;
    expect(event?.type === 'raw' && event.line.length).toBe(1000);
  });

  it('with several blocks, or a plain string for content, is read completely', () => {
    const several = {
      type: 'assistant',
      message: {
        content: [
          { type: 'text', text: 'a' },
          { type: 'thinking', thinking: 'b' },
          { type: 'text', text: 'c' },
        ],
      },
    };
    expect(hear(several, { type: 'assistant', message: { content: 'd' } }).events.map(({ type }) => type)).toEqual([
      'message',
      'reasoning',
      'message',
      'message',
    ]);
  });

  it('with broken numbers counts nothing', () => {
    const broken = { inputTokens: -5, outputTokens: 1e300, cacheReadInputTokens: 'many', cacheCreationInputTokens: null };
    expect(hear(result({ total_cost_usd: -1, modelUsage: { m: broken } })).summary.usage).toEqual({ input: 0, cacheRead: 0, cacheWrite: 0, output: 0 });
  });
});
