import { describe, expect, it } from 'vitest';
import { agentBegun, closed, ended, gatesBegun, judged, opened } from '../../../test/support/run-events.ts';
import { crashed, decidedAfter, looked, superviseSettings } from '../../../test/support/supervise-events.ts';
import { job } from './job.ts';

const gate = { command: 'make test', failAction: 'APPEND', hint: null, timeoutMs: 0 } as const;
const settings = superviseSettings({ parent: 'r0' }, { recipe: 'job', gates: [gate] });
const decided = (...bodies: Parameters<typeof decidedAfter>[0]) => decidedAfter(bodies, { recipe: job, settings });

describe('a job', () => {
  it('is one start of the agent, its checks, and nothing more', () => {
    const worked = [opened(1), agentBegun(1), ended(1), ...looked(1)];
    expect(decided()).toMatchObject([{ event: { type: 'iteration.opened', iteration: 1 } }]);
    expect(decided(opened(1))).toMatchObject([{ effect: { kind: 'run-agent' } }]);
    expect(decided(...worked.slice(0, 3))).toMatchObject([{ effect: { kind: 'look-at-task' } }]);
    expect(decided(...worked)).toMatchObject([{ effect: { kind: 'run-gates' } }]);
    const green = [...worked, gatesBegun(1, [gate]), judged(1, [[gate, 0]])];
    expect(decided(...green)).toMatchObject([{ event: { type: 'iteration.closed', result: 'green', accepted: true } }]);
    expect(decided(...green, closed(1, { result: 'green', accepted: true }))).toMatchObject([
      { kind: 'stop', outcome: { stop_reason: 'completed', exit_code: 0, unproven: false } },
    ]);
  });

  it('is checked only when its children have ended too', () => {
    const busy = [opened(1), agentBegun(1), ended(1), ...looked(1, { children: ['c'] })];
    expect(decided(...busy)).toMatchObject([{ event: { type: 'children.awaited', active: ['c'] } }]);
    expect(decided(...busy, { type: 'children.awaited', active: ['c'] })).toMatchObject([{ kind: 'wait' }]);
    expect(decided(...busy, { type: 'children.awaited', active: ['c'] }, { type: 'children.seen', active: [] })).toMatchObject([
      { effect: { kind: 'run-gates' } },
    ]);
  });

  it('is not done when its checks are red or its agent failed', () => {
    const red = [opened(1), agentBegun(1), ended(1), gatesBegun(1, [gate]), judged(1, [[gate, 1]]), closed(1, { result: 'red' })];
    expect(decided(...red)).toMatchObject([{ kind: 'stop', outcome: { exit_code: 1, message: expect.stringContaining('make test') } }]);
    const failed = [opened(1), agentBegun(1), ended(1, crashed), gatesBegun(1, [gate]), judged(1, [[gate, 0]]), closed(1, { result: 'failed' })];
    expect(decided(...failed)).toMatchObject([{ kind: 'stop', outcome: { exit_code: 1, message: 'it crashed' } }]);
  });

  it.each([
    ['a silent command has done its work', 'command', 'green'],
    ['a silent agent has done nothing', 'claude', 'failed'],
  ])('%s', (_name, kind, result) => {
    const quiet = superviseSettings({ parent: 'r0' }, { recipe: 'job', agent: { kind, command: kind, flags: [], model: null, autonomy: 'full' } });
    const bodies = [opened(1), agentBegun(1), ended(1, { verdict: 'empty' }), ...looked(1), gatesBegun(1, []), judged(1, [])];
    expect(decidedAfter(bodies, { recipe: job, settings: quiet })).toMatchObject([{ event: { type: 'iteration.closed', result } }]);
  });

  it('is started again when its agent was cut off by the death of the loop', () => {
    expect(decided(opened(1), agentBegun(1), ended(1, { verdict: 'lost', ending: { kind: 'lost' } }), closed(1, { result: 'abandoned' }))).toMatchObject([
      { event: { type: 'iteration.opened', iteration: 2 } },
    ]);
  });
});
