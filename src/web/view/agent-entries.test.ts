import { describe, expect, it } from 'vitest';
import type { AgentEvent } from '../../journal/words/agent-event.ts';
import { agentEntry } from './agent-entries.ts';

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

  it('cuts a long output in its middle, and leaves out what nobody needs to read', () => {
    expect(textOf({ type: 'tool.finished', id: 'c1', ok: true, output: 'x'.repeat(10_000) })?.length).toBeLessThan(4_100);
    expect(agentEntry({ type: 'rate_limit', status: 'allowed' })).toBeNull();
  });
});
