import { describe, expect, it } from 'vitest';
import { agentBegun, opened } from '../../../test/support/run-events.ts';
import { crashed, decidedAfter, file, life, looked, superviseSettings } from '../../../test/support/supervise-events.ts';
import type { EventBody } from '../../journal/events/journal-event.ts';

const stop = (stop_reason: string, exit_code: number) => [{ kind: 'stop', outcome: { stop_reason, exit_code } }];
const asked = (what: 'drain' | 'abort', by = 'SIGINT'): EventBody => ({ type: 'operator.asked', what, by });
const post = [{ kind: 'do', effect: { kind: 'post', bus: 'project' } }];
const posted: EventBody = { type: 'posted', key: 'post:completion', msg_id: 'm', problem: null };

describe('the children of a run', () => {
  const done = life(1, {}, { done: file, children: ['c1', 'c2'] });
  const awaited: EventBody = { type: 'children.awaited', active: ['c1', 'c2'] };
  const seen = (...active: string[]): EventBody => ({ type: 'children.seen', active });
  const child = { run: 'c1', parent: 'r', task: null, agent: null, model: null, checks: [], cwd: null, idle_ms: null, run_ms: null, prompt: 'Help.' };

  it('are awaited after DONE, and the outcome says so', () => {
    expect(decidedAfter(done)).toMatchObject([{ kind: 'say', event: { type: 'children.awaited', active: ['c1', 'c2'] } }]);
    expect(decidedAfter([...done, awaited])).toEqual([{ kind: 'wait', untilMs: 309_000 + 1_000 }]);
    expect(decidedAfter([...done, awaited, seen(), posted])).toMatchObject([
      { kind: 'stop', outcome: { message: 'task completed (all children finished)', exit_code: 0 } },
    ]);
  });

  it('are reported when they outlive the wait, and ended only if that is wanted', () => {
    const late = [...done, awaited];
    expect(decidedAfter(late, { laterMs: 300_000 })).toMatchObject([{ kind: 'say', event: { type: 'children.outlived' } }]);
    const outlived: EventBody = { type: 'children.outlived', active: ['c1', 'c2'] };
    expect(decidedAfter([...late, outlived])).toMatchObject(post);
    const settings = superviseSettings({ killChildren: true });
    expect(decidedAfter([...late, outlived], { settings })).toMatchObject([{ effect: { kind: 'end-children', runs: ['c1', 'c2'] } }]);
  });

  it('are ended with a run that is stopped, and then it is not called done', () => {
    const leaving = [...done, awaited, asked('drain')];
    expect(decidedAfter(leaving)).toMatchObject([{ effect: { kind: 'end-children' } }]);
    const gone: EventBody = { type: 'children.ended', key: 'end-children:2', ended: ['c1', 'c2'], left: [] };
    expect(decidedAfter([...leaving, gone])).toMatchObject(stop('interrupted', 130));
  });

  it('are awaited before the checks run, and ended if that is wanted', () => {
    const gate = { command: 'make test', failAction: 'APPEND', hint: null, timeoutMs: 0 } as const;
    const checked = superviseSettings({}, { gates: [gate] });
    const outlived: EventBody = { type: 'children.outlived', active: ['c1', 'c2'] };
    expect(decidedAfter(done, { settings: checked })).toMatchObject([{ event: { type: 'children.awaited' } }]);
    expect(decidedAfter([...done, awaited], { settings: checked })).toMatchObject([{ kind: 'wait' }]);
    expect(decidedAfter([...done, awaited, seen()], { settings: checked })).toMatchObject([{ effect: { kind: 'run-gates' } }]);
    expect(decidedAfter([...done, awaited, outlived], { settings: checked })).toMatchObject([{ effect: { kind: 'run-gates' } }]);
    const strict = superviseSettings({ killChildren: true }, { gates: [gate] });
    expect(decidedAfter([...done, awaited, outlived], { settings: strict })).toMatchObject([{ effect: { kind: 'end-children' } }]);
  });

  it('have the whole waiting time for a second DONE, whatever happened after the first', () => {
    const outlived: EventBody = { type: 'children.outlived', active: ['c1'] };
    const gone = [...done, awaited, outlived, ...looked(2), ...life(2, {}, { done: file, children: ['c9'] })];
    expect(decidedAfter(gone)).toMatchObject([{ event: { type: 'children.awaited', active: ['c9'] } }]);
  });

  it('are refused while the others are ended, and one that was started meanwhile is ended as well', () => {
    const settings = superviseSettings({ maxRestarts: 1 });
    const ending: EventBody = {
      type: 'effect.begun',
      key: 'end-children:1',
      effect: { kind: 'end-children', key: 'end-children:1', iteration: 0, attempt: 0, runs: ['c2'] },
    };
    const failed = [...life(1, crashed), ...looked(2, { children: ['c2'] }), ending];
    expect(decidedAfter([...failed, { type: 'child.asked', child }], { settings })).toMatchObject([{ event: { type: 'child.refused', run: 'c1' } }]);
    const late: EventBody = { type: 'child.started', key: 'child:c1', run: 'c1', host: 'h', boot_id: 'b', pid: 1, start_time: '1' };
    const ended: EventBody = { type: 'children.ended', key: 'end-children:1', ended: ['c2'], left: [] };
    expect(decidedAfter([...failed, late, ended], { settings })).toMatchObject([{ effect: { kind: 'end-children', runs: ['c1'] } }]);
  });

  it('are not forgotten when they were started during a look', () => {
    const [begun, fact] = looked(2);
    const late: EventBody = { type: 'child.started', key: 'child:c1', run: 'c1', host: 'h', boot_id: 'b', pid: 1, start_time: '1' };
    const bodies = [...life(1), begun, late, { ...fact, done: file }] as EventBody[];
    expect(decidedAfter(bodies)).toMatchObject([{ event: { type: 'children.awaited', active: ['c1'] } }]);
  });

  it('in other tasks are not awaited, but do not outlive a run that is stopped', () => {
    const far = { ...child, task: 'other' };
    const started: EventBody = { type: 'child.started', key: 'child:c1', run: 'c1', host: 'h', boot_id: 'b', pid: 1, start_time: '1' };
    const begun: EventBody = {
      type: 'effect.begun',
      key: 'child:c1',
      effect: { kind: 'start-child', key: 'child:c1', iteration: 0, attempt: 0, child: far },
    };
    const bodies = [...life(1, crashed), { type: 'child.asked', child: far } as const, begun, started];
    expect(decidedAfter([...bodies, asked('drain')])).toMatchObject([{ effect: { kind: 'end-children', runs: ['c1'] } }]);
    expect(decidedAfter([...bodies, ...looked(2, { done: file })])).toMatchObject(post);
    const settings = superviseSettings({ waitScope: 'project' });
    expect(decidedAfter([...bodies, ...looked(2, { done: file, children: ['c1'] })], { settings })).toMatchObject([{ event: { type: 'children.awaited' } }]);
  });

  it('are ended with a run that fails', () => {
    const settings = superviseSettings({ maxRestarts: 1 });
    expect(decidedAfter([...life(1, crashed), ...looked(2, { children: ['c1'] })], { settings })).toMatchObject([{ effect: { kind: 'end-children' } }]);
  });

  it('are started in parallel while the agent runs, and not at all while the run stops', () => {
    const running: EventBody[] = [
      ...looked(1),
      opened(1),
      agentBegun(1),
      { type: 'child.asked', child },
      { type: 'child.asked', child: { ...child, run: 'c2' } },
    ];
    expect(decidedAfter(running)).toMatchObject([{ kind: 'do', effect: { kind: 'start-child', child: { run: 'c1' } } }]);
    const begun: EventBody = {
      type: 'effect.begun',
      key: 'child:c1',
      effect: { kind: 'start-child', key: 'child:c1', iteration: 0, attempt: 0, child },
    };
    expect(decidedAfter([...running, begun])).toMatchObject([{ kind: 'do', effect: { kind: 'start-child', child: { run: 'c2' } } }]);
    expect(decidedAfter([...running, asked('drain')])).toMatchObject([{ kind: 'say', event: { type: 'child.refused', run: 'c1' } }]);
  });

  it('may be started by children that are awaited', () => {
    expect(decidedAfter([...done, awaited, { type: 'child.asked', child: { ...child, run: 'c3', parent: 'c1' } }])).toMatchObject([
      { effect: { kind: 'start-child' } },
    ]);
  });
});
