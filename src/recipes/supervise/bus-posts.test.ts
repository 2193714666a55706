import { describe, expect, it } from 'vitest';
import { given, runStarted } from '../../../test/support/given.ts';
import { agentBegun, ended, judged, opened } from '../../../test/support/run-events.ts';
import { childStarted, completed, failedLife, life, looked, stopped } from '../../../test/support/supervise-journal.ts';
import { superviseSettings } from '../../../test/support/supervise-spec.ts';
import type { AttemptEnded, Ending } from '../../journal/events/attempt.ts';
import type { EventBody } from '../../journal/events/journal-event.ts';
import { evolve } from '../../journal/evolve/evolve.ts';
import { emptyState, type RunState } from '../../journal/state/state.ts';
import { notDone } from '../../journal/words/outcome.ts';
import type { GateSpec, RunSettings, SuperviseSpec } from '../../settings/schema/run-settings.ts';
import { busPostsFor } from './bus-posts.ts';
import { type BusPost, withStderr } from './bus-posts-of-an-attempt.ts';
import type { SuperviseState } from './supervised-task.ts';

function postsOf(settings: RunSettings, bodies: readonly EventBody[]): readonly BusPost[] {
  let state: RunState = emptyState;
  return given(runStarted(settings), ...bodies).flatMap((event) => {
    const before = state;
    state = evolve(state, event);
    return busPostsFor(event, before as SuperviseState, state as SuperviseState);
  });
}

/** `TYPE body` of each message. */
const told = (bodies: readonly EventBody[], spec: Partial<SuperviseSpec> = {}, over: Partial<RunSettings> = {}) =>
  postsOf(superviseSettings(spec, over), bodies).map(({ message }) => `${message.type} ${message.body}`);

const wentBadly = (ending: Ending, over: Partial<AttemptEnded> = {}) =>
  told([opened(1), agentBegun(1), ended(1, { verdict: 'failed', why: 'something', ending, ...over })]).slice(1);

describe('the bus messages about a start of the agent', () => {
  it('report its start, its process and its end', () => {
    expect(told(life(1))).toEqual([
      'INFO starting root agent (restart #0)',
      'RUN_START run started\nrun_dir: /tasks/demo/task-20260115-044055-docs/runs/r\nattempt: 1.1',
      'RUN_STOP run stopped with code 0',
    ]);
  });

  it('name the run and the task', () => {
    expect(postsOf(superviseSettings(), [opened(1), agentBegun(1)])[0]).toEqual({
      message: { type: 'INFO', project_id: 'demo', task_id: 'task-20260115-044055-docs', run_id: 'r', body: 'starting root agent (restart #0)' },
      stderrOf: null,
    });
  });

  it('count restarts from 0, and leave out those that do not count', () => {
    const lost = life(2, { verdict: 'lost', ending: { kind: 'lost' } }, 'abandoned');
    const starts = told([...failedLife(1), looked(), ...lost, looked(), ...failedLife(3)]).filter((text) => text.includes('root agent'));
    expect(starts).toEqual([
      'INFO starting root agent (restart #0)',
      'WARNING root agent failed on restart #0: agent reported failure',
      'INFO starting root agent (restart #1)',
      'WARNING root agent failed on restart #1: the supervisor died while the agent ran',
      'INFO starting root agent (restart #1)',
      'WARNING root agent failed on restart #1: agent reported failure',
    ]);
  });

  it.each<[string, Ending]>([
    ['agent reported failure', { kind: 'exited', code: 1 }],
    ['agent usage error', { kind: 'exited', code: 2 }],
    ['agent killed (OOM or signal)', { kind: 'exited', code: 137 }],
    ['agent terminated (SIGTERM)', { kind: 'exited', code: 143 }],
    ['agent exited with code 7', { kind: 'exited', code: 7 }],
    ['something', { kind: 'exited', code: 0 }],
    ['agent killed (OOM or signal)', { kind: 'signalled', signal: 'SIGKILL' }],
    ['agent terminated (SIGTERM)', { kind: 'signalled', signal: 'SIGTERM' }],
    ['agent ended by SIGSEGV', { kind: 'signalled', signal: 'SIGSEGV' }],
    ['timed out', { kind: 'stopped', cause: 'idle', detail: 'silent', code: null, signal: 'SIGKILL' }],
    ['timed out', { kind: 'stopped', cause: 'deadline', detail: 'late', code: 0, signal: null }],
    ['too much', { kind: 'stopped', cause: 'output', detail: 'too much', code: null, signal: 'SIGTERM' }],
    ['no such file', { kind: 'never-started', reason: 'other', message: 'no such file' }],
  ])('name a failure: %s', (summary, ending) => {
    const [crash, warning] = wentBadly(ending);
    expect(crash).toMatch(/^RUN_CRASH run stopped /);
    expect(crash?.endsWith(`: ${summary}`)).toBe(true);
    expect(warning).toBe(`WARNING root agent failed on restart #0: ${summary}`);
  });

  it('report no failure when the agent asks to wait, or when Ralph ended it', () => {
    expect(wentBadly({ kind: 'exited', code: 42 })).toEqual(['RUN_STOP run stopped with code 42']);
    expect(wentBadly({ kind: 'stopped', cause: 'cancelled', detail: 'DONE', code: null, signal: 'SIGTERM' })).toEqual(['RUN_STOP run stopped by the loop']);
  });

  it('report no second start after a usage limit', () => {
    const limited = ended(1, { verdict: 'limited', ending: { kind: 'exited', code: 1 }, limit_resets_at: 5000 });
    expect(told([opened(1), agentBegun(1), limited, agentBegun(1, 2)])).toEqual([
      'INFO starting root agent (restart #0)',
      'RUN_STOP run stopped with code 1',
      'WARNING root agent met a usage limit on restart #0; it is run again when that is over',
    ]);
  });

  it('request the stderr of a crash, and of nothing else', () => {
    const posts = postsOf(superviseSettings(), [...failedLife(1), looked(), ...life(2)]);
    expect(posts.filter(({ stderrOf }) => stderrOf !== null).map(({ message, stderrOf }) => [message.type, stderrOf])).toEqual([
      ['RUN_CRASH', { iteration: 1, attempt: 1, role: 'work' }],
    ]);
  });
});

describe('the stderr of a crash', () => {
  const message = { type: 'RUN_CRASH', project_id: 'demo', body: 'run stopped with code 1' };

  it('is its last fifty lines, below a heading', () => {
    const lines = Array.from({ length: 60 }, (_, index) => `line ${index}`);
    expect(withStderr(message, `${lines.join('\n')}\n`).body).toBe(`run stopped with code 1\n\n## stderr (last 50 lines)\n\n${lines.slice(10).join('\n')}`);
  });

  it('is left out when it is empty', () => {
    expect(withStderr(message, '\n')).toBe(message);
  });

  it('is bounded, and contains no secret', () => {
    expect(withStderr(message, 'x'.repeat(1_000_000)).body.length).toBeLessThan(21_000);
    expect(withStderr(message, 'ANTHROPIC_API_KEY=sk-ant-0123456789abcdef0123').body).not.toContain('0123456789abcdef');
  });
});

describe('the bus message at the end of a task', () => {
  it.each([
    ['INFO task completed (DONE marker present, no active children)', completed],
    ['ERROR task failed: max restarts (100) exceeded', notDone('max_restarts', 'max restarts (100) exceeded')],
    ['ERROR task failed: DONE is a directory', notDone('fatal', 'DONE is a directory', 4)],
    ['INFO waiting without restart: an answer (go on with: ralph runs resume r)', notDone('waiting', 'waiting without restart: an answer', 0)],
    ['WARNING task interrupted: SIGINT', { ...notDone('interrupted', 'SIGINT', 130), signal: 'SIGINT' }],
  ])('is: %s', (text, outcome) => {
    expect(told([stopped(outcome)])).toEqual([text]);
  });

  it('also says that the project bus could not be reached', () => {
    const posted = (problem: string | null): EventBody => ({ type: 'posted', key: 'post:completion', msg_id: null, problem });
    expect(told([posted('it is a symbolic link')])).toEqual(['ERROR the project could not be told of the completion: it is a symbolic link']);
    expect(told([posted(null)])).toEqual([]);
  });

  it('is missing for a job that succeeded: its process messages say everything', () => {
    expect(told([stopped(completed)], {}, { recipe: 'job' })).toEqual([]);
    expect(told([stopped(notDone('max_iterations', 'red'))], {}, { recipe: 'job' })).toEqual(['ERROR job failed: red']);
  });
});

describe('the bus messages about children', () => {
  it('name the children that Ralph waits for, and those that outlived the wait', () => {
    const bodies: EventBody[] = [childStarted('a'), { type: 'children.awaited', active: ['a', 'b'] }, { type: 'children.outlived', active: ['b'] }];
    expect(told(bodies)).toEqual(['INFO waiting for 2 children to complete: [a, b]', 'WARNING timeout waiting for children after 5m0s: [b]']);
  });

  it('name the children that were ended, could not be ended, or were never started', () => {
    expect(
      told([
        { type: 'children.ended', key: 'k', ended: ['a'], left: ['b'] },
        { type: 'child.refused', key: 'k', run: 'c', why: 'no agent' },
      ]),
    ).toEqual(['INFO children ended by the loop: [a]', 'WARNING children that could not be ended: [b]', 'WARNING child c was not started: no agent']);
  });
});

describe('the bus messages about the task folder', () => {
  it('name who blocks the task, only when that changes, and when nobody does any more', () => {
    const blocked = (...tasks: readonly string[]) => tasks.map((task) => ({ task, why: 'running' as const }));
    expect(
      told([
        looked({ before: 1, blocked_by: blocked('a', 'b') }),
        { type: 'dependencies.seen', blocked_by: blocked('a', 'b') },
        { type: 'dependencies.seen', blocked_by: blocked('b') },
        { type: 'dependencies.seen', blocked_by: [] },
      ]),
    ).toEqual(['PROGRESS task blocked by dependencies: a, b', 'PROGRESS task blocked by dependencies: b', 'FACT dependencies satisfied; starting task']);
  });

  it('report a refused DONE, what was red, and its new name', () => {
    const gate: GateSpec = { command: 'npm test', failAction: 'APPEND', hint: null, timeoutMs: 0 };
    const bodies = [looked({ done: { kind: 'file' } }), judged(0, [[gate, 1]]), { type: 'done.refused', key: 'k', renamed: 'DONE.refused-1' } as const];
    expect(told(bodies, {}, { gates: [gate] })).toEqual(['WARNING DONE was refused, red: npm test; it was renamed to DONE.refused-1']);
  });
});
