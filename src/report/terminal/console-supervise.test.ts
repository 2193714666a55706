import { describe, expect, it } from 'vitest';
import { expectScreen } from '../../../test/support/expected-screen.ts';
import { gatesRun, looking, type Moment, play, say, started, test } from '../../../test/support/play-on-console.ts';
import { agentBegun, closed, ended, opened } from '../../../test/support/run-events.ts';
import { childStarted, completed, failedLife, life, looked, spawned, stopped } from '../../../test/support/supervise-journal.ts';
import { superviseSpec } from '../../../test/support/supervise-spec.ts';
import type { EventBody } from '../../journal/events/journal-event.ts';
import type { Blocker } from '../../journal/events/task.ts';
import { notDone } from '../../journal/words/outcome.ts';
import type { RunSettings, SuperviseSpec } from '../../settings/schema/run-settings.ts';

const agent: RunSettings['agent'] = { kind: 'command', command: 'bash agent.sh', flags: [], model: null, autonomy: 'full' };

const supervised = (spec: Partial<SuperviseSpec> = {}, over: Partial<RunSettings> = {}): EventBody =>
  started({ recipe: 'supervise', agent, claims: [], gates: [], maximumIterations: 0, supervise: superviseSpec(spec), ...over });

const done = (...children: readonly string[]): EventBody => looked({ done: { kind: 'file' }, children: [...children] });
const idle = { kind: 'stopped', cause: 'idle', detail: 'silent for 20m', code: null, signal: 'SIGKILL' } as const;

/** The screen after the banner. */
function shown(moments: readonly (EventBody | Moment)[], spec: Partial<SuperviseSpec> = {}, over: Partial<RunSettings> = {}): string {
  const start = supervised(spec, over);
  return play([start, ...moments]).slice(play([start]).length);
}

const linesOf = (...args: Parameters<typeof shown>) => shown(...args).split('\n');

const eventful: readonly (EventBody | Moment)[] = [
  looked({ before: 1, blocked_by: [{ task: 'task-b', why: 'running' }] }),
  { type: 'dependencies.seen', blocked_by: [] },
  ...failedLife(1),
  looked(),
  ...life(2, { verdict: 'failed', ending: idle }, 'failed'),
  looked(),
  looked({ before: 3 }),
  opened(3),
  agentBegun(3),
  spawned('3.1'),
  say('I start two children.'),
  childStarted('child-1'),
  { type: 'child.refused', key: 'child:child-2', run: 'child-2', why: 'no such agent: clude' },
  { type: 'done.seen', done: { kind: 'file' } },
  ended(3),
  closed(3, { result: 'green' }),
  done('child-1'),
  ...gatesRun(0, [[test, 1]]),
  { type: 'done.refused', key: 'refuse-done:1', renamed: 'DONE.refused-1' },
  looked({ before: 4, children: ['child-1'] }),
  ...life(4).slice(1),
  done('child-1'),
  ...gatesRun(0, [[test, 0]]),
  { type: 'children.awaited', active: ['child-1'] },
  { type: 'children.seen', active: [] },
  stopped({ ...completed, unproven: false, message: 'task completed (all children finished)' }),
];

const everything: Partial<SuperviseSpec> = {
  backoffMs: 60_000,
  intensity: { failures: 5, withinMs: 600_000 },
  dependsOn: ['task-b'],
  doneGraceMs: 30_000,
  waitScope: 'project',
  killChildren: true,
};

describe('the whole screen of a supervised agent', () => {
  it.each([
    ['supervise-80', { width: 80 }, {}],
    ['supervise-plain', {}, looking({ emoji: false })],
  ])('with every kind of event matches the approved one: %s', (name, options, over) => {
    expectScreen(name, play([supervised(everything, { gates: [test], ...over }), ...eventful], options));
  });

  it('of a job matches the approved one', () => {
    const child = superviseSpec({ parent: '20260115-044000-parent' });
    const start = started({ recipe: 'job', agent, claims: [], gates: [test], maximumIterations: 1, supervise: child });
    const ending = stopped({ ...completed, claim: null, unproven: false, message: 'The job ended well, and all checks passed' });
    const moments = [
      opened(1),
      agentBegun(1),
      spawned('1.1'),
      say('Done.'),
      ended(1),
      ...gatesRun(1, [[test, 0]]),
      closed(1, { result: 'green', accepted: true }),
      ending,
    ];
    expectScreen('job', play([start, ...moments]));
  });
});

describe('the attempts of a root agent on the screen', () => {
  it('are numbered in their headings, except those that do not count', () => {
    const lost = life(2, { verdict: 'lost', ending: { kind: 'lost' } }, 'abandoned');
    expect(linesOf([...failedLife(1), looked(), ...lost, looked(), ...life(3)]).filter((line) => line.startsWith('==='))).toEqual([
      '=== Ralph attempt 1/100 ===',
      '=== Ralph attempt 2/100 ===',
      '=== Ralph attempt 2/100 ===',
    ]);
  });

  it.each<[string, readonly EventBody[]]>([
    ['Attempt 1: Agent failed (exit 1), restarting...', failedLife(1)],
    ['Attempt 1: Agent ended without DONE (exit 0), restarting... (no file /tasks/demo/task-20260115-044055-docs/DONE)', life(1)],
    ['Attempt 1: Agent failed (killed by SIGKILL), restarting...', life(1, { verdict: 'failed', ending: { kind: 'signalled', signal: 'SIGKILL' } }, 'failed')],
  ])('are followed at their end by: %s', (text, events) => {
    expect(linesOf([...events, looked()]).at(-2)).toBe(text);
  });

  it('that run out of time are reported in the words of the seed', () => {
    const limits = { idleMs: 300_000, iterationMs: 3_600_000 };
    const over = (cause: 'idle' | 'deadline') => [...life(1, { verdict: 'failed', ending: { ...idle, cause } }, 'failed'), looked()];
    const text = (cause: 'idle' | 'deadline') => shown(over(cause), {}, { limits: { ...limitsOf(), ...limits } });
    expect(text('idle')).toContain(
      'Agent timeout after 5m0s without output, killing process group\nProcess group killed, treating as failure\nRestarting agent (attempt 2/100)\n',
    );
    expect(text('deadline')).toContain('Agent timeout after 1h0m0s, killing process group\n');
  });

  it('show the length of the pause when it grows', () => {
    const events = [...failedLife(1), looked(), ...failedLife(2), looked(), ...failedLife(3), looked()];
    expect(linesOf(events, { backoffMs: 60_000 }).filter((line) => line.includes('restarting'))).toEqual([
      'Attempt 1: Agent failed (exit 1), restarting...',
      'Attempt 2: Agent failed (exit 1), restarting... (in 2s)',
      'Attempt 3: Agent failed (exit 1), restarting... (in 4s)',
    ]);
  });

  it('do not claim a child that was not started before a crash', () => {
    const child = { run: 'child-1', parent: 'r', task: null, agent: null, model: null, checks: [], cwd: null, idle_ms: null, run_ms: null, prompt: '' };
    const begun: EventBody = {
      type: 'effect.begun',
      key: 'child:child-1',
      effect: { kind: 'start-child', key: 'child:child-1', iteration: 0, attempt: 0, child },
    };
    expect(linesOf([opened(1), agentBegun(1), begun, { type: 'effect.lost', key: 'child:child-1' }]).at(-2)).toMatch(
      /Child child-1 was not started before the loop died, and will not be started again\.$/,
    );
  });

  it('end when the restarts are used up', () => {
    const text = shown([...failedLife(1), looked(), looked({ before: 2 }), stopped(notDone('max_restarts', 'max restarts (1) exceeded'))], { maxRestarts: 1 });
    expect(text).not.toContain('restarting');
    expect(text).toContain('\nAttempt 1: Max restarts exceeded, stopping\nmax restarts (1) exceeded\n  outcome     max_restarts (exit 1)\n');
  });
});

const limitsOf = () => {
  const start = started();
  return start.settings.limits;
};

describe('a root agent that waits', () => {
  it.each([
    ['exit code', { by: 'exit-code', reason: 'the agent exited with code 42' }],
    ['bus message', { by: 'bus', reason: 'an answer is needed' }],
    ['marker file', { by: 'marker', reason: 'the build' }],
  ] as const)('because of %s is reported, with how to continue', (how, wait) => {
    const text = shown([...life(1), looked({ wait }), stopped(notDone('waiting', `waiting without restart: ${wait.reason}`, 0))]);
    expect(text).toContain(`\nWait-without-restart signal detected (${how}): ${wait.reason}\n`);
    expect(text).not.toContain('restarting');
    expect(text).toContain('\n  continue    ralph runs resume 20260115-044055-abc123\n');
  });

  it('says how to continue with --quiet too', () => {
    const text = play([supervised(), stopped(notDone('waiting', 'waiting without restart: the build', 0))], { quiet: true });
    expect(text).toContain('ralph runs resume 20260115-044055-abc123');
  });
});

describe('the task folder on the screen', () => {
  const blocked = (...blockers: readonly Blocker[]): EventBody => ({ type: 'dependencies.seen', blocked_by: [...blockers] });

  it('says who blocks it, only when that changes', () => {
    const running: Blocker = { task: 'a', why: 'running' };
    expect(linesOf([blocked(running), blocked(running), blocked({ task: 'a', why: 'failed' }), blocked()])).toEqual([
      'Task blocked by dependencies: a (running)',
      'Task blocked by dependencies: a (failed)',
      'Dependencies satisfied, starting task',
      '',
    ]);
  });

  it('with DONE ends the agent after its grace period', () => {
    const cancelled = { kind: 'stopped', cause: 'cancelled', detail: 'DONE is there', code: null, signal: 'SIGTERM' } as const;
    const text = shown([opened(1), agentBegun(1), { type: 'done.seen', done: { kind: 'file' } }, ended(1, { verdict: 'failed', ending: cancelled })], {
      doneGraceMs: 30_000,
    });
    expect(text).toContain('\nDONE exists, the agent may keep running for 30s\n\nRalph ended the agent: DONE exists, and its grace period is over\n');
  });

  it('reports a project bus that cannot be read', () => {
    const posted = (problem: string | null): EventBody => ({ type: 'posted', key: 'post:completion', msg_id: null, problem });
    expect(shown([posted('it is a symbolic link')])).toContain('The project bus could not be told of the completion: it is a symbolic link');
    expect(shown([posted(null)])).not.toContain('could not be told');
  });

  it('reports a DONE that disappears, or something else of that name', () => {
    const seen = (why: string): EventBody => ({ type: 'done.seen', done: { kind: 'problem', why } });
    const told = [{ type: 'done.seen', done: { kind: 'absent' } } as const, seen('DONE is a directory')];
    const lines = ['DONE is gone again', '⚠️ DONE is a directory', ''];
    expect(linesOf([agentBegun(1), ...told])).toEqual(lines);
    expect(linesOf(told)).not.toEqual(expect.arrayContaining(lines.slice(0, 2)));
  });
});

describe('the children of a root agent on the screen', () => {
  it('are named when they outlive the wait, with what happens to them', () => {
    const outlived: EventBody = { type: 'children.outlived', active: ['c1', 'c2'] };
    const over: EventBody = { type: 'children.ended', key: 'k', ended: ['c1'], left: ['c2'] };
    expect(linesOf([childStarted('c1'), childStarted('c2'), outlived])).toContain(
      '⚠️ timeout waiting for children after 5m0s: [c1, c2] (they are left running)',
    );
    expect(linesOf([childStarted('c1'), childStarted('c2'), outlived, over], { killChildren: true }).slice(-4)).toEqual([
      '⚠️ timeout waiting for children after 5m0s: [c1, c2] (they will be ended)',
      'Ended 1 child: [c1]',
      '⚠️ Could not be ended: [c2]',
      '',
    ]);
  });

  it('are shown when they start and end', () => {
    const seen = (...active: readonly string[]): EventBody => ({ type: 'children.seen', active: [...active] });
    expect(linesOf([childStarted('c1'), seen('c1'), seen('c1', 'c2'), seen('c2'), seen()])).toEqual([
      'Child c1 started (pid 78)',
      'Child seen running: [c2]',
      'Child ended: [c1], 1 running',
      'Child ended: [c2]',
      '',
    ]);
  });

  it('are summed up at the end', () => {
    const text = shown([childStarted('c1'), { type: 'children.outlived', active: ['c1'] }, stopped(completed)]);
    expect(text).toContain('\n  children    1 started, 1 run outlived the wait, still running: [c1]\n');
  });
});

describe('the settings of a supervised agent', () => {
  it('are shown without the values of its environment', () => {
    const text = play([supervised({ env: { DEPLOY: 'hunter2' } })], { verbose: true });
    expect(text).toContain('"env":["DEPLOY"]');
    expect(text).not.toContain('hunter2');
  });
});
