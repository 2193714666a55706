import type { AttemptVerdict } from '../events/attempt.ts';
import type { ClosedIteration, OpenIteration, RunState } from '../state/state.ts';
import { turnFeedback } from '../../proof/judge/turn-feedback.ts';

/** What an agent has run on is not what was settled. */
export function afterTurnAttempt(iteration: OpenIteration, verdict: AttemptVerdict): OpenIteration {
  const { turn } = iteration;
  if (turn === null) return iteration;
  return { ...iteration, turn: { ...turn, settled: null, spoken: turn.spoken + (verdict === 'ok' ? 1 : 0) } };
}

/** What went wrong in a turn is told to the next one of its story; one that went well clears it. */
export function afterTurnClosed(state: RunState, iteration: OpenIteration | undefined, closed: ClosedIteration | undefined): RunState {
  const turn = iteration?.turn;
  if (!turn || !closed) return state;
  const stories = { ...state.stories, look: null };
  if (closed.result === 'abandoned') return { ...state, stories };
  const { [turn.story]: _, ...others } = stories.feedback;
  // A story that has moved is somebody else's now: a reviewer hears nothing of what its author has tried.
  const told = turn.recorded?.moved ? '' : turnFeedback(iteration, turn);
  return { ...state, stories: { ...stories, feedback: told === '' ? others : { ...others, [turn.story]: told } } };
}

/** Whatever happened to the file while nobody was at work is looked at first. */
export function afterStoriesResumed(state: RunState): RunState {
  if (!state.run?.settings.stories) return state;
  // What an agent was at when its loop was killed is judged first, and by what the loop knew then.
  return { ...state, paused: false, stories: { ...state.stories, look: null, trouble: null, isByHand: state.open.length === 0 } };
}
