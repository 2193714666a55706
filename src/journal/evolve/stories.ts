import { repetitionForPrompt } from '../../limits/stuck.ts';
import { turnFeedback } from '../../proof/judge/feedback.ts';
import { storiesSpecOf } from '../../settings/schema/recipe-facts.ts';
import type { AttemptEnded } from '../events/attempt.ts';
import type { ClaimAllowed, GatesJudged, ReceiptWritten } from '../events/gates.ts';
import type { StoryEvent } from '../events/recipe-events.ts';
import type { StopRefused, StoriesRecorded, StoriesSeen, StoriesSettled, TurnBegun } from '../events/stories.ts';
import type { AskedQuestion } from '../state/questions.ts';
import type { OpenIteration, RunState } from '../state/state.ts';
import { type StoriesState, type StoryTurn, storyOfTurn } from '../state/stories-state.ts';
import type { StoryPlan, StoryRange } from '../words/story.ts';
import { type OwnFold, openIn, withIteration } from './iterations.ts';
import { withQuestions } from './questions.ts';
import { receiptsAfter, triedAfter } from './spending.ts';

const MOST_RANGES = 50;

/** What stories add to the state of a run. */
export const ofStories: OwnFold<StoryEvent> = {
  'run.resumed': (_body, state) => afterStoriesResumed(state),
  'attempt.ended': (body, state) => afterAuthor(afterTurnAttempt(state, body), body),
  'gates.judged': (body, state) => afterStoryGates(state, body),
  'claim.allowed': (body, state, { atMs }) => afterStoryAllowed(state, body, atMs),
  'receipt.written': (body, state) => afterStoryReceipt(state, body),
  'iteration.closed': ({ iteration }, state, { before }) => afterTurnClosed(state, openIn(before, iteration)),
  'stories.seen': (body, state, { atMs }) => afterLook(state, body, atMs),
  'turn.begun': (body, state) => withIteration(state, body.iteration, (iteration) => ({ ...iteration, turn: begun(body) })),
  'stories.settled': (body, state) => afterSettling(state, body),
  'stories.recorded': (body, state) => afterRecording(state, body),
  'stop.refused': (body, state) => afterRefusedStop(state, body),
};

function withStories(state: RunState, change: Partial<StoriesState>): RunState {
  return { ...state, stories: { ...state.stories, ...change } };
}

function withTurn(state: RunState, number: number, change: (turn: StoryTurn) => Partial<StoryTurn>): RunState {
  return withIteration(state, number, (iteration) =>
    iteration.turn === null ? iteration : { ...iteration, turn: { ...iteration.turn, ...change(iteration.turn) } },
  );
}

function afterLook(state: RunState, { plan, problem, head, branch, tree, dirty }: StoriesSeen, atMs: number): RunState {
  const { stories } = state;
  const looks = stories.looks + 1;
  if (plan === null)
    return withStories(state, { looks, look: null, planProblem: { why: problem ?? 'unknown reason', sinceMs: stories.planProblem?.sinceMs ?? atMs, atMs } });
  const ranges = stories.looks === 0 ? (storiesSpecOf(state.run?.settings)?.carried ?? {}) : stories.ranges;
  return withStories(state, { looks, plan, ranges, planProblem: null, isByHand: false, look: { head, branch, tree, dirty } });
}

function begun({ mode, story, head, tree }: TurnBegun): StoryTurn {
  return {
    mode,
    story,
    head,
    tree,
    settled: null,
    verdict: null,
    moves: [],
    refused: [],
    reverted: [],
    spoken: 0,
    recorded: null,
    problem: null,
  };
}

function afterSettling(state: RunState, { iteration, attempt, plan, move, refused, undone, head, tree, problem }: StoriesSettled): RunState {
  return withTurn(state, iteration, (turn) => ({
    settled: { attempt, plan, head, tree },
    moves: move === null ? turn.moves : [...turn.moves, move],
    refused: [...turn.refused, ...refused],
    reverted: [...turn.reverted, ...undone],
    problem: problem ?? turn.problem,
  }));
}

/** The recorded plan is the truth from now on. Commits since the turn began belong to its story. */
function afterRecording(state: RunState, { iteration: number, plan, moved, at_cap, weak, head, tree, problem }: StoriesRecorded): RunState {
  const iteration = openIn(state, number);
  const turn = iteration?.turn ?? null;
  const atCap = at_cap && turn !== null ? [...new Set([...state.stories.atCap, turn.story])] : state.stories.atCap;
  const recorded = withTurn(state, number, (before) => ({
    recorded: { moved, ...(tree !== undefined && { at: { commit: head, tree } }) },
    problem: problem ?? before.problem,
  }));
  return withStories(recorded, { plan, look: null, atCap, ...(weak && weaklyApproved(state.stories, plan, turn)), ...rangesAfter(state.stories, turn) });
}

function weaklyApproved({ weak = [] }: StoriesState, { userStories }: StoryPlan, turn: StoryTurn | null): Partial<StoriesState> {
  const approved = userStories.filter(({ id, passes }) => passes && id === turn?.story).map(({ id }) => id);
  return { weak: [...new Set([...weak, ...approved])] };
}

function rangesAfter({ ranges, lastWorkedOn }: StoriesState, turn: StoryTurn | null): Partial<StoriesState> {
  if (turn === null || turn.mode === 'review' || turn.settled === null || turn.settled.head === turn.head) return {};
  const story = storyOfTurn(turn);
  const before = (Object.hasOwn(ranges, story) && ranges[story]) || [];
  const last = before.at(-1);
  const range: StoryRange = { from: turn.head, to: turn.settled.head };
  // Only reviews lie between two turns of the same story, so their ranges are joined.
  const all = last && lastWorkedOn === story ? [...before.slice(0, -1), { from: last.from, to: range.to }] : [...before, range];
  return { ranges: { ...ranges, [story]: all.slice(-MOST_RANGES) }, lastWorkedOn: story };
}

/** The story goes on from the tree that the person has allowed. For tasks the register records this. */
function afterStoryAllowed(state: RunState, { iteration, task: story = '', by }: ClaimAllowed, atMs: number): RunState {
  const isMeant = (question: AskedQuestion) => question.task === story && question.iteration === iteration && question.answer === null;
  const tree = state.questions.find(isMeant)?.held?.tree;
  if (tree === undefined) return state;
  const answered = { answer: `${by} has allowed these changes.`, answered: { by, atMs } };
  const allowed = withStories(state, { allowed: { ...state.stories.allowed, [story]: tree } });
  return withQuestions(allowed, (question) => (isMeant(question) ? { ...question, ...answered } : question));
}

/** If the hook let an agent stop despite a problem, the next prompt mentions the problem. */
function afterRefusedStop(state: RunState, { reason, let_go }: StopRefused): RunState {
  const number = state.open[0]?.number;
  return let_go && number !== undefined ? withTurn(state, number, ({ refused }) => ({ refused: [...refused, reason] })) : state;
}

/** A new attempt may have changed anything, so the last settlement no longer counts. */
function afterTurnAttempt(state: RunState, { iteration, verdict, review }: AttemptEnded): RunState {
  return withTurn(state, iteration, ({ spoken }) => ({ settled: null, verdict: review ?? null, spoken: spoken + (verdict === 'ok' ? 1 : 0) }));
}

/** Remembers who has worked on a story, because nobody reviews its own work. */
function afterAuthor(state: RunState, { agent, iteration, verdict }: AttemptEnded): RunState {
  const turn = openIn(state, iteration)?.turn;
  if (agent === undefined || verdict !== 'ok' || !turn || turn.mode === 'review') return state;
  return { ...state, stories: { ...state.stories, authors: { ...state.stories.authors, [turn.story]: agent } } };
}

const CHECK_CHARS = 4_000;

/** A reviewer cannot run the checks of a story, so it is told their results. */
function afterStoryGates(state: RunState, { iteration, results }: GatesJudged): RunState {
  const turn = openIn(state, iteration)?.turn;
  if (!turn || results.some(({ ending }) => ending.kind === 'stopped' && ending.cause === 'cancelled')) return state;
  const checks = results.map(({ gate: { command }, green, output }) => ({ command, green, output: output.slice(-CHECK_CHARS) }));
  return withStories(state, { checks: { ...state.stories.checks, [storyOfTurn(turn)]: checks } });
}

/** The next turn of the story is told what went wrong; a turn without problems clears that. */
function afterTurnClosed(state: RunState, iteration: OpenIteration | undefined): RunState {
  const closed = state.closed.at(-1);
  const turn = iteration?.turn;
  if (!turn || !closed) return state;
  const stories = { ...state.stories, look: null, ...triedAfterTurn(state.stories, iteration, turn) };
  if (closed.result === 'abandoned') return { ...state, stories };
  const { [turn.story]: _, ...others } = stories.feedback;
  // A story that moved has a new agent: a reviewer is not told what the author has tried.
  const repeated = state.run ? repetitionForPrompt({ state, settings: state.run.settings }) : null;
  const feedback = turn.recorded?.moved ? '' : [repeated ?? '', turnFeedback(iteration, turn)].filter(Boolean).join('\n\n');
  return { ...state, stories: { ...stories, feedback: feedback === '' ? others : { ...others, [turn.story]: feedback } } };
}

/** What the turns of a story cost, for its receipt. Older journals have no such receipts. */
function triedAfterTurn({ tried = [] }: StoriesState, iteration: OpenIteration, turn: StoryTurn): Pick<StoriesState, 'tried'> {
  return turn.recorded?.at === undefined ? {} : triedAfter(tried, storyOfTurn(turn), iteration, turn.hasReceipt === true);
}

function afterStoryReceipt(state: RunState, body: ReceiptWritten): RunState {
  const iteration = state.open.find(({ turn }) => turn !== null && storyOfTurn(turn) === body.task);
  return withTurn(withStories(state, { receipts: receiptsAfter(state.stories.receipts, body) }), iteration?.number ?? 0, () => ({ hasReceipt: true }));
}

/** After a resume the file must be read again first. */
function afterStoriesResumed(state: RunState): RunState {
  // The checks at the start run again. If an iteration is still open, its agent's work is judged first, by what the loop knew then.
  return { ...state, baseline: null, stories: { ...state.stories, look: null, planProblem: null, isByHand: state.open.length === 0 } };
}
