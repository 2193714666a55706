import type { AttemptEnded } from '../../src/journal/events/attempt.ts';
import type { EventBody } from '../../src/journal/events/journal-event.ts';
import type { MergeJudged, PlanSettled, TaskNone, TaskReleased, TaskTaken } from '../../src/journal/events/work.ts';
import { agentBegun, closed, ended, opened } from './run-events.ts';
import { planTask } from './work-spec.ts';

/** The events of a run on a plan as a journal holds them; say only what differs from a task that goes well. */
export const taken = (id: string, over: Partial<TaskTaken> = {}): EventBody => ({
  type: 'task.taken',
  key: 'take:1',
  lane: 1,
  task: planTask(id),
  n: 1,
  tries: 0,
  feedback: '',
  from: null,
  prompt: null,
  ...over,
});

export const none = (over: Partial<TaskNone> = {}): EventBody => ({
  type: 'task.none',
  key: 'take:1',
  reason: 'all-complete',
  held: false,
  counts: { total: 3, complete: 3, in_progress: 0, blocked: 0, failed: 0 },
  detail: 'all 3 tasks are complete',
  ...over,
});

export const workspaceOpened = (iteration: number, branch: string, problem: string | null = null): EventBody => ({
  type: 'workspace.opened',
  key: `open:${iteration}`,
  iteration,
  path: '/project.ralph/t',
  cwd: '/project.ralph/t',
  branch,
  base: 'b',
  problem,
});

export const settled = (iteration: number, over: Partial<PlanSettled> = {}): EventBody => ({
  type: 'plan.settled',
  key: `settle:${iteration}.1`,
  iteration,
  claimed: true,
  accepted: [],
  refused: [],
  edits: [],
  head: 'h',
  tree: 't',
  changed: true,
  restored: [],
  kept: null,
  problem: null,
  ...over,
});

export const mergeBegun = (iteration: number): EventBody => ({
  type: 'effect.begun',
  key: `merge:${iteration}.1`,
  effect: {
    kind: 'merge',
    key: `merge:${iteration}.1`,
    iteration,
    attempt: 1,
    task: planTask('T'),
    n: 1,
    head: 'h',
    green_tree: null,
    gates: [],
    edits: [],
    until: null,
  },
});

export const merged = (iteration: number, over: Partial<MergeJudged> = {}): EventBody => ({
  type: 'merge.judged',
  key: `merge:${iteration}.1`,
  iteration,
  result: 'merged',
  commit: 'abc1234def',
  results: [],
  missing: [],
  conflicts: [],
  kept: null,
  left_behind: null,
  unlocked: [],
  detail: '',
  ...over,
});

export const released = (iteration: number, task: string, state: TaskReleased['state'] = 'done', was_ours = true): EventBody => ({
  type: 'task.released',
  key: `release:${iteration}`,
  iteration,
  task,
  state,
  was_ours,
});

export const workspaceClosed = (iteration: number, kept: string | null = null, problem: string | null = null): EventBody => ({
  type: 'workspace.closed',
  key: `close:${iteration}`,
  iteration,
  kept,
  problem,
});

/** A task from being taken until an agent is at work on it. */
export function begun(iteration: number, id: string, over: Partial<TaskTaken> = {}): readonly EventBody[] {
  const lane = over.lane ?? 1;
  return [taken(id, { lane, ...over }), opened(iteration, lane), workspaceOpened(iteration, `ralph/${id.toLowerCase()}.${over.n ?? 1}`), agentBegun(iteration)];
}

/** One that is done, claimed and merged. */
export function doneTask(iteration: number, id: string, lane = 1): readonly EventBody[] {
  return [
    ...begun(iteration, id, { lane }),
    ended(iteration, { duration_ms: 56_400 }),
    settled(iteration),
    mergeBegun(iteration),
    merged(iteration),
    released(iteration, id),
    workspaceClosed(iteration),
    closed(iteration, { result: 'green', accepted: true }),
  ];
}

export const exited = (code: number, duration_ms = 400): Partial<AttemptEnded> => ({
  verdict: 'failed',
  why: `the agent exited with code ${code}`,
  ending: { kind: 'exited', code },
  duration_ms,
});

/** One whose agent failed. */
export function failedTask(iteration: number, id: string, code = 3): readonly EventBody[] {
  return [
    ...begun(iteration, id),
    ended(iteration, exited(code)),
    settled(iteration, { claimed: false }),
    released(iteration, id, 'failed'),
    workspaceClosed(iteration),
    closed(iteration, { result: 'failed' }),
  ];
}

/** One whose agent ended well, and never said that it is complete. */
export function unfinishedTask(iteration: number, id: string): readonly EventBody[] {
  return [
    ...begun(iteration, id),
    ended(iteration),
    settled(iteration, { claimed: false }),
    released(iteration, id, 'failed'),
    workspaceClosed(iteration),
    closed(iteration, { result: 'red' }),
  ];
}
