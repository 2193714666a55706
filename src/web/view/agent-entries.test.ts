import { describe, expect, it } from 'vitest';
import type { AgentEvent } from '../../journal/words/agent-event.ts';
import { openAgentEntries } from './agent-entries.ts';

const agentEntry = (event: AgentEvent) => openAgentEntries()(event);
const textOf = (event: AgentEvent) => agentEntry(event)?.ansi ?? null;

describe('what an agent says, as the page shows it', () => {
  it('has a call and its result under one id, so that they are one block, and says whether it went well', () => {
    expect(agentEntry({ type: 'tool.started', id: 'c1', name: 'Read', input: { file_path: 'a.ts' } })).toMatchObject({
      kind: 'tool',
      name: 'Read',
      id: 'c1',
      ansi: 'a.ts',
    });
    expect(agentEntry({ type: 'tool.finished', id: 'c1', ok: false, output: 'no such file\n' })).toMatchObject({
      kind: 'result',
      id: 'c1',
      ok: false,
      ansi: 'no such file',
    });
  });

  it('has the input of an unknown tool as it is, and nothing for no input', () => {
    expect(textOf({ type: 'tool.started', id: 'c1', name: 'Own', input: { a: [1] } })).toBe('{"a":[1]}');
    expect(textOf({ type: 'tool.started', id: 'c1', name: 'Own', input: null })).toBe('');
  });

  it('has todos with a mark for each state', () => {
    const items = (['completed', 'in_progress', 'pending'] as const).map((status) => ({ id: status, text: `it is ${status}`, status }));
    expect(textOf({ type: 'todo', items })).toBe('☑ it is completed\n▸ it is in_progress\n☐ it is pending');
  });

  it('has a todo list once and without the call that wrote it, again when it has changed, and an error when the call failed', () => {
    const list = (status: 'pending' | 'completed'): AgentEvent => ({ type: 'todo', items: [{ id: '1', text: 'it', status }] });
    const call = (id: string): AgentEvent => ({ type: 'tool.started', id, name: 'TodoWrite', input: { todos: [] } });
    const end = (id: string, ok: boolean): AgentEvent => ({ type: 'tool.finished', id, ok, output: 'what it says' });
    const events = [call('a'), list('pending'), end('a', true), list('pending'), call('b'), list('completed'), end('b', true), call('c'), end('c', false)];
    expect(events.map(openAgentEntries()).flatMap((each) => (each === null ? [] : [`${each.kind} ${each.ansi}`]))).toEqual([
      'todo ☐ it',
      'todo ☑ it',
      'error TodoWrite: what it says',
    ]);
  });

  it('cuts a long output in its middle, and leaves out what nobody needs to read', () => {
    expect(textOf({ type: 'tool.finished', id: 'c1', ok: true, output: 'x'.repeat(10_000) })?.length).toBeLessThan(4_100);
    expect(agentEntry({ type: 'rate_limit', status: 'allowed' })).toBeNull();
  });
});
