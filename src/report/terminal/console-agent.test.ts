import { describe, expect, it } from 'vitest';
import { done, play, START, say, started, tool } from '../../../test/support/play-on-console.ts';
import { agentBegun, ended, opened } from '../../../test/support/run-events.ts';
import type { AgentEvent } from '../../journal/words/agent-event.ts';
import type { ConsoleOptions } from './console.ts';

describe('the output of an agent', () => {
  const agent = (event: AgentEvent, over: Partial<ConsoleOptions> = {}) => play([{ agent: event }], over);

  it.each<[AgentEvent, string]>([
    [{ type: 'retry', attempt: 2, max: 10, delayMs: 3000, status: 529, kind: 'transient' }, 'Agent retries (transient, HTTP 529): 2/10 in 3s\n'],
    [{ type: 'rate_limit', status: 'warning', window: 'five_hour', utilization: 0.92 }, 'Usage limit (five_hour): 92% used\n'],
    [{ type: 'rate_limit', status: 'rejected' }, ''],
    [{ type: 'error', kind: 'auth', message: 'Not logged in', status: 401 }, '❌ Error (HTTP 401): Not logged in\n'],
    [{ type: 'error', kind: 'limit', message: 'told by the wait' }, ''],
    [{ type: 'reasoning', text: 'Hm.\nThen.' }, '💭 Hm.\n   Then.\n'],
    [{ type: 'note', text: 'Switched to another model' }, 'Switched to another model\n'],
    [{ type: 'file.changed', path: 'a.txt', kind: 'update' }, '  ⎿  update a.txt\n'],
    [{ type: 'subagent.started', id: 's', kind: 'agent', description: 'find it' }, '⏺ Sub-agent(find it)\n'],
    [{ type: 'message', text: 'from below', subagent: 's' }, '  from below\n'],
    [{ type: 'raw', line: 'not json' }, ''],
  ])('%o is at most one line', (event, expected) => {
    expect(agent(event)).toBe(expected);
  });

  it('reaches the terminal without any escape sequence of its own', () => {
    const hostile = '\u001b[2J\u001b]0;owned\u0007\u0000\rgone\u202e';
    const screen = play([say(hostile), tool('a', hostile, {}), done('a', hostile), { agent: { type: 'note', text: hostile } }]);
    expect(screen.replaceAll('\n', '')).not.toMatch(/\p{Cc}/u);
    expect(screen).toContain('␀␍gone\ufffd');
  });

  it('is cut at the edge of the terminal by its display width', () => {
    const path = '漢'.repeat(100);
    expect(play([tool('a', 'Read', { file_path: path })], { width: 20 })).toBe('⏺ Read(漢漢漢漢漢漢…\n');
  });

  it('is coloured only when colours are on', () => {
    expect(agent({ type: 'error', kind: 'other', message: 'no' }, { colour: true })).toBe('\u001b[31m❌ Error: no\u001b[39m\n');
  });

  it('is labelled by worker when several run at once', () => {
    expect(play([started({ lanes: 2 }), opened(1, 2), agentBegun(1), say('hello')])).toContain('\nw2 hello\n');
  });

  it('is skipped and counted when it is too much to read', () => {
    const flood = Array.from({ length: 50_000 }, (_, index) => say(`line ${index}`));
    const frozen = play([...flood, ended(1)], { nowMs: () => START });
    expect(frozen.split('\n').length).toBeLessThan(2010);
    expect(frozen).toContain("... 48000 events not shown: too many to read. All of them are in the run's folder.\n");
  });

  it('of three million characters takes a page', () => {
    expect(play([say('x'.repeat(3_000_000))]).length).toBeLessThan(9000);
  });
});
