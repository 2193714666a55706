import type { EventBody } from '../events/journal-event.ts';
import type { ReviewProgress, ScmProgress } from '../state/iteration-progress.ts';
import type { OpenIteration, RunState } from '../state/state.ts';
import type { TaskInHand, WorkState } from '../state/work-state.ts';

type Opened = Extract<EventBody, { type: 'iteration.opened' }>;

export const noReview: ReviewProgress = { begun: false, next: 0, retries: 0, last: null, repeated: 0 };
const noScm: ScmProgress = { asked: null, message: null, next: 0, refusals: 0, over: false };

/** A new iteration knows what was red in the one before, and nothing else. */
export function afterOpening(state: RunState, { iteration, lane }: Opened, atMs: number): RunState {
  const opened: OpenIteration = {
    number: iteration,
    lane,
    openedAtMs: atMs,
    tally: { steps: 0, costUsd: 0 },
    failures: state.failures,
    attempts: 0,
    latest: { attempt: 0, judgements: 0 },
    repeated: 0,
    last: null,
    judged: null,
    guarded: { attempt: 0, judgements: 0 },
    restored: [],
    verified: null,
    review: noReview,
    scm: noScm,
    hand: handOf(state.tasks, lane),
    turn: null,
  };
  const tasks = opened.hand === null ? state.tasks : { ...state.tasks, taken: null };
  return { ...state, tasks, opened: Math.max(state.opened, iteration), open: [...state.open, opened] };
}

/** What was taken for a lane is in its hand from here on. */
function handOf({ taken }: WorkState, lane: number): TaskInHand | null {
  if (taken === null || taken.lane !== lane) return null;
  const { task, n, tries, feedback, from, prompt } = taken;
  return {
    task,
    n,
    tries,
    feedback,
    from,
    prompt,
    workspace: null,
    problem: null,
    isClaimed: false,
    settled: null,
    merge: null,
    merges: 0,
    brought: null,
    resolves: 0,
    clashed: [],
    givenUp: null,
    released: null,
    isClosed: false,
  };
}
