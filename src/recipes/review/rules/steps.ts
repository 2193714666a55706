import type { StepRule } from '../../../engine/decide/recipe.ts';
import type { IterationResult } from '../../../journal/events/run.ts';
import { spentOnTask } from '../../../journal/evolve/spending.ts';
import type { OpenIteration } from '../../../journal/state/state.ts';
import { type Claim, type Question, saysDone } from '../../../journal/words/claim.ts';
import type { Story } from '../../../journal/words/story.ts';
import { nextAskMs } from '../../../limits/agents.ts';
import { reasonToAbandon, untilTimeIsUp } from '../../../limits/time.ts';
import { isComplete, storyWithoutReceipt } from '../../../plans/review/next-turn.ts';
import { mayChangeOf } from '../../../plans/review/story-fields.ts';
import { agentRequest, gatesRequest, proofRequest } from '../../shared/effect-requests.ts';
import { receiptOf } from '../../shared/receipt.ts';
import { hasEndedWithIt, questionIn } from '../../shared/rules/questions.ts';
import { progressEntry } from '../progress-entry.ts';
import {
  baseOf,
  checksOf,
  isReadyToJudge,
  needsProof,
  nextTurnNow,
  outcomeOfTurn,
  type StoriesSettings,
  type StoriesView,
  storyIn,
  turnMessage,
  turnRequest,
  wouldPass,
} from '../story-turn.ts';

/** Chooses the story and the mode from the loop's own state, never from what the agent says. */
export const beginTheTurn: StepRule<StoriesSettings> = ({ turn, number }, view) => {
  const { look } = view.state.stories;
  const next = nextTurnNow(view);
  if (turn !== null || look === null || next?.kind !== 'turn') return null;
  const { mode, story } = next;
  return { kind: 'say', event: { type: 'turn.begun', iteration: number, mode, story, head: look.head, tree: look.tree } };
};

/** A reviewer cannot run anything, so it is shown the check results: those from the end of the work on the story, or new ones if this run has none. */
export const checkBeforeTheReview: StepRule<StoriesSettings> = (iteration, view) => {
  const { turn, last, judged } = iteration;
  if (turn?.mode !== 'review' || last !== null || judged !== null || view.settings.gates.length === 0) return null;
  return checksOf(turn.story, view).length > 0 || reasonToAbandon(view) !== null ? null : gatesRequest(iteration, view, 'before');
};

/** Starts a fresh agent for the turn. Retries after a usage limit or an empty answer, in every mode. Several reviewers run one after the other. */
export const askTheAgentOfTheTurn: StepRule<StoriesSettings> = (iteration, view) => {
  const { turn, last } = iteration;
  if (turn === null || turn.recorded !== null || (last !== null && turn.settled === null) || isReadyToJudge(iteration, turn, view)) return null;
  const untilMs = nextAskMs(iteration, view);
  if (view.nowMs < untilMs) return { kind: 'wait', untilMs: untilTimeIsUp(untilMs, view) };
  return agentRequest(iteration, view, { role: turn.mode === 'review' ? 'review' : 'work', turn: turnRequest(turn, view) });
};

/** After every attempt, whatever its result: reverts what the agent may not change before anything else runs. */
export const settleTheTurn: StepRule<StoriesSettings> = ({ turn, last, number, attempts }, view) => {
  const { plan } = view.state.stories;
  if (turn === null || last === null || turn.settled !== null || plan === null) return null;
  const counts = last.verdict === 'ok';
  return {
    kind: 'do',
    effect: {
      kind: 'settle-stories',
      key: `settle:${number}.${attempts}`,
      iteration: number,
      attempt: attempts,
      mode: turn.mode,
      story: turn.story,
      truth: plan,
      head: turn.head,
      tree: turn.tree,
      counts,
      ...(turn.verdict && { review: turn.verdict }),
      undo_all: turn.mode === 'review',
    },
  };
};

/** Neither "ready" nor "approved" counts before the loop itself has seen every verify command green. */
export const judgeTheTurn: StepRule<StoriesSettings> = (iteration, view) => {
  const { turn, judged } = iteration;
  if (turn === null || turn.settled === null || turn.recorded !== null || judged !== null || !needsProof(turn, view)) return null;
  return gatesRequest(iteration, view);
};

/** Before a story passes: proves the work of its agents since the story was begun. */
export const proveTheTurn: StepRule<StoriesSettings> = (iteration, view) => {
  const { turn, judged, proved } = iteration;
  const { proof } = view.settings;
  if (turn === null || turn.settled === null || turn.recorded !== null || proved !== null || judged?.green !== true) return null;
  if (proof === undefined || !wouldPass({ ...turn, settled: turn.settled }, view)) return null;
  const mayChange = mayChangeIn(view, storyIn(view.state.stories.plan, turn.story));
  const { tree, head } = turn.settled;
  // Everything is committed when a story begins, so its base is also what HEAD was then.
  const base = baseOf(turn, view);
  return proofRequest(iteration, view, { tree, head, base, from: base, proof: { ...proof, mayChange } });
};

const mayChangeIn = ({ settings }: StoriesView, story: Story) => [...(settings.proof?.mayChange ?? []), ...mayChangeOf(story)];

/** Writes the loop's own state to the file, whatever the agent wrote there. */
export const recordTheTurn: StepRule<StoriesSettings> = (iteration, view) => {
  const { turn, number, attempts } = iteration;
  if (turn === null || turn.settled === null || turn.recorded !== null) return null;
  const { plan, atCap, applied } = outcomeOfTurn(iteration, { ...turn, settled: turn.settled }, view);
  return {
    kind: 'do',
    effect: {
      kind: 'record-stories',
      key: `record:${number}.${attempts}`,
      iteration: number,
      attempt: attempts,
      plan,
      moved: applied,
      at_cap: atCap !== null,
      ...(applied &&
        turn.mode === 'review' && {
          weak: turn.moves.some(({ weak }) => weak),
          progress: progressEntry(iteration, storyIn(plan, turn.story), view),
        }),
      message: applied ? turnMessage(turn.mode, storyIn(plan, turn.moves[0]?.story ?? turn.story)) : `ralph: [${turn.story}] - put back what was not proven`,
    },
  };
};

/** A story that has passed gets its receipt before anything else, also by the loop that continues after a crash. */
export const writeTheStoryReceipt: StepRule<StoriesSettings> = (iteration, view) => {
  const { turn, number, tally } = iteration;
  const proven = storyWithoutReceipt(iteration, view.state);
  if (turn === null || proven === null) return null;
  const { story, at, proof } = proven;
  const { plan, branch } = view.settings.stories;
  const { iterations, costUsd } = spentOnTask(view.state.stories.tried ?? [], story.id, tally);
  const receipt = receiptOf(view, proof, {
    task: story.title,
    ...at,
    story: { id: story.id, plan, branch, base: baseOf(turn, view), judged_tree: proof.tree ?? at.tree, may_change: mayChangeIn(view, story) },
    cost_usd: costUsd,
    iterations,
  });
  return { kind: 'do', effect: { kind: 'write-receipt', key: `receipt:${number}`, iteration: number, attempt: 0, receipt } };
};

/** A story waits for a person when its agent is blocked, needs a decision, or has changed a decider. The other stories continue. */
export const askThePersonAboutTheStory: StepRule<StoriesSettings> = (iteration, { state }) => {
  const { turn, number } = iteration;
  const question = questionOf(iteration);
  if (turn === null || turn.recorded === null || question === null || hasEndedWithIt(number, state)) return null;
  return { kind: 'say', event: { type: 'question.asked', iteration: number, story: turn.story, question } };
};

function questionOf({ last, proved }: OpenIteration): Question | null {
  if (proved?.verdict === 'held')
    return { kind: 'held', text: proved.reason.replace(/^Held: /, ''), held: { tree: proved.tree, changed: [...proved.changed] } };
  return questionIn(last);
}

/** The last step: records the result of the turn, and whether every story is proven by it, in a list that is committed. */
export const closeTheTurn: StepRule<StoriesSettings> = (iteration, view) => {
  const { plan } = view.state.stories;
  const moved = iteration.turn?.recorded?.moved === true;
  const isCommitted = iteration.turn?.problem === null;
  const accepted = moved && isCommitted && plan !== null && isComplete(plan, view.settings.stories.skipReview);
  return {
    kind: 'say',
    event: {
      type: 'iteration.closed',
      iteration: iteration.number,
      result: accepted ? 'green' : resultOf(iteration, view),
      claim: claimOf(iteration, accepted),
      accepted,
      zero_work: false,
    },
  };
};

/** A complete list counts as a claim, even if the agent made none. */
function claimOf({ last }: OpenIteration, accepted: boolean): Claim | null {
  const claim = last?.claim ?? null;
  if (saysDone(claim)) return claim;
  return accepted ? { by: 'task-state', text: 'every story is approved' } : claim;
}

function resultOf({ turn, last }: OpenIteration, view: StoriesView): IterationResult {
  // No agent was started.
  if (turn === null) return 'abandoned';
  if (turn.recorded?.moved) return turn.refused.length + turn.reverted.length > 0 ? 'red' : 'green';
  if (reasonToAbandon(view) !== null && (last === null || last.verdict !== 'ok' || reasonToAbandon(view) === 'abort')) return 'abandoned';
  return last?.verdict === 'ok' ? 'red' : 'failed';
}
