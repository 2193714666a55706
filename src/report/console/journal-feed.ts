import { attemptId } from '../../journal/effects/effect.ts';
import type { AttemptEnded } from '../../journal/events/attempt.ts';
import type { GatesJudged } from '../../journal/events/gates.ts';
import type { EventBody, JournalEvent } from '../../journal/events/journal-event.ts';
import { isStoryEvent, isTaskEvent, isWorkEvent } from '../../journal/events/recipe-events.ts';
import type { Progress } from '../../journal/progress.ts';
import { type ClosedIteration, emptyState, type RunState, type StartedState } from '../../journal/state/state.ts';
import { assertNever } from '../../kit/pure/assert-never.ts';
import { lastIterationNumber } from '../../limits/retry-policy.ts';
import { factsOf, requiredTagOf } from '../../settings/schema/recipe-facts.ts';
import { attemptLines, reviewEndedLines } from './attempt-lines.ts';
import { bannerLines, iterationHeading, resumedLines } from './banner-lines.ts';
import { begunLines, instructedLines, operatorRequestLines } from './effect-begun-lines.ts';
import { type GateFeed, openGateFeed } from './gates/gate-feed.ts';
import { gateWords, redGatesText } from './gates/gate-lines.ts';
import {
  allowedLines,
  livingLines,
  nearClaimText,
  provedLines,
  revertedLines,
  sealedBegunLines,
  sealedJudgedLines,
  specSeenLines,
  wordsForDone,
} from './gates/proof-lines.ts';
import { blank, type Line, prose, span } from './line.ts';
import { type Change, type DisplaySettings, shorten } from './look.ts';
import { answeredLines, askedLines } from './question-lines.ts';
import type { RecipeScreen } from './recipe-screen.ts';
import { sandboxRefusedLines } from './sandbox-lines.ts';
import { changedDirtLines, commandEndedLines, commitMadeLines, commitRefusedLines, messageEndedLines } from './scm-lines.ts';
import { fineCostText, secondsText } from './spent-text.ts';
import type { Ended } from './summary/ended.ts';
import { budgetNearLines } from './summary/money-lines.ts';
import { summaryLines } from './summary/summary-lines.ts';
import { openVerboseFeed } from './verbose-lines.ts';

/** Turns the run's own events into lines. It remembers the state before each event, because some lines describe the difference. */
export interface JournalFeed {
  hear(event: JournalEvent, state: StartedState, streamEvents: number): readonly Line[];
  hearProgress(progress: Progress): readonly Line[];
  /** True when the agent's output is only for the loop: a commit message is shown with its commit. */
  isSilent(attempt: string): boolean;
  /** The data of the summary, for screens that show the end in another way. */
  ended(event: JournalEvent, state: StartedState): Ended | null;
}

const MOST_REMEMBERED = 100;

export function openJournalFeed(look: DisplaySettings, verbose: boolean, screen: RecipeScreen): JournalFeed {
  const gates = openGateFeed(look, verbose);
  const details = verbose ? openVerboseFeed() : null;
  const recipe = screen.openFeed(look, gates);
  const closed = new Map<number, ClosedIteration>();
  let before: RunState = emptyState;

  return {
    hear(event, state, streamEvents) {
      const change: Change = { before, state, atMs: event.at };
      before = state;
      remember(state.closed, closed);
      const lines = recipe.linesFor(event.body, change) ?? eventLines(event, change, { gates, look, closed, screen, verbose });
      const more = details?.hear(event, change, streamEvents) ?? [];
      // The settings of the start come before anything that happens.
      return event.body.type === 'run.started' ? [...more, ...lines] : [...lines, ...more];
    },
    hearProgress: (progress) => recipe.hearProgress(progress, before) ?? gates.hear(progress, gateWords(before.run)),
    isSilent: (attempt) => before.inFlight.some((effect) => effect.kind === 'run-agent' && effect.role === 'message' && attemptId(effect) === attempt),
    ended({ body, at }, state) {
      return body.type === 'run.stopped' ? { outcome: body.outcome, state, judged: gates.last, closed: [...closed.values()], atMs: at } : null;
    },
  };
}

interface Means {
  readonly gates: GateFeed;
  readonly look: DisplaySettings;
  readonly closed: ReadonlyMap<number, ClosedIteration>;
  readonly screen: RecipeScreen;
  readonly verbose: boolean;
}

function beginningLines(body: Extract<EventBody, { type: 'run.started' | 'run.resumed' }>, state: RunState, { screen: { banner }, look, verbose }: Means) {
  if (body.type === 'run.started') return [...bannerLines(body, banner, verbose), ...banner.after('Starting', state, look)];
  return [...resumedLines(body, state, banner), ...banner.after('Resuming', state, look)];
}

function eventLines({ body, at }: JournalEvent, change: Change, means: Means): readonly Line[] {
  const { state } = change;
  const { gates, look, closed, screen } = means;
  // The screens of the recipes supervise, work and review show these.
  if (isTaskEvent(body) || isWorkEvent(body) || isStoryEvent(body)) return [];
  switch (body.type) {
    case 'run.started':
    case 'run.resumed':
      return beginningLines(body, state, means);
    case 'iteration.opened':
      return [blank, iterationHeading(body.iteration, lastIterationNumber(state))];
    case 'effect.begun':
      return begunLines(body.effect, change);
    case 'effect.lost':
      return [prose(span(`${body.key} had no result: repeating it.`, 'busy'))];
    case 'attempt.ended':
      return endedLines(body, change, look);
    case 'gates.judged':
      return [...gates.judged(body, change), ...changedDirtLines(body, look)];
    case 'living.found':
      return state.run ? livingLines(body, look, { proof: state.run.settings.proof, hasBaseline: state.baseline !== null }) : [];
    case 'proof.judged':
      return provedLines(body, look);
    case 'claim.allowed':
      return allowedLines(body);
    case 'sealed.begun':
    case 'sealed.judged':
      return body.type === 'sealed.begun' ? sealedBegunLines(state.sealedRuns ?? 1) : sealedJudgedLines(body, look);
    case 'commit.made':
      return commitMadeLines(body, change, look);
    case 'commit.refused':
      return commitRefusedLines(body, change);
    case 'command.ended':
      return commandEndedLines(body, look);
    case 'iteration.closed':
      return closingLines(body, gates.lastResultOf(body.iteration), change, look);
    case 'question.asked':
      return askedLines(body, state, look);
    case 'question.answered':
      return answeredLines(body, look);
    case 'operator.asked':
    case 'operator.instructed':
      return body.type === 'operator.asked' ? operatorRequestLines(body, state.run?.settings.limits.graceMs ?? null) : instructedLines(body);
    case 'settings.seen':
      return settingsSeenLines(body.files, look);
    case 'run.stopped':
      return summaryLines({ outcome: body.outcome, state, judged: gates.last, closed: [...closed.values()], atMs: at }, screen, look);
    case 'paths.restored':
      return revertedLines(body, look);
    case 'spec.seen':
      return specSeenLines(body, look);
    case 'budget.neared':
      return budgetNearLines(body, look);
    case 'wall.refused':
      return sandboxRefusedLines(body, look);
    case 'receipt.written':
    case 'attempt.spawned':
    case 'limit.seen':
      return [];
    default:
      return assertNever(body);
  }
}

/** The state keeps the last ten iterations; a summary shows more, but not more than people read. */
function remember(iterations: readonly ClosedIteration[], closed: Map<number, ClosedIteration>): void {
  const unknown = iterations.filter(({ number }) => !closed.has(number));
  for (const iteration of unknown) closed.set(iteration.number, iteration);
  for (const number of closed.keys()) {
    if (closed.size <= MOST_REMEMBERED) return;
    closed.delete(number);
  }
}

function endedLines(body: AttemptEnded, change: Change, look: DisplaySettings): readonly Line[] {
  if (body.role === 'review') return reviewEndedLines(body, change, look);
  if (body.role === 'message') return messageEndedLines(body, change, look);
  const near = nearClaimText(body, change.state.run?.settings);
  return [...attemptLines(body, change, look), ...(near === null ? [] : [prose(span(near, 'busy'))])];
}

/** Says that an edited settings file has no effect, because its author expects one. */
function settingsSeenLines(files: readonly string[], { glyphs }: DisplaySettings): readonly Line[] {
  const were = files.length === 1 ? 'was' : 'were';
  return [prose(span(`${glyphs.warning}${files.join(' and ')} ${were} changed. This run keeps the settings it was started with.`, 'busy'))];
}

type Closed = Extract<EventBody, { type: 'iteration.closed' }>;

/** The lines at the end of an iteration: its result in a loop, and why a claim does not count. */
function closingLines(closed: Closed, judged: GatesJudged | null, change: Change, look: DisplaySettings): readonly Line[] {
  const { run } = change.state;
  return [...(factsOf(run?.settings).keepsProgress ? iterationLines(closed, change, look) : []), ...claimLines(closed, judged, change)];
}

/** `✗ Iteration 1 → failed ($0.0234, 45.2s)` (seed 004). */
function iterationLines({ iteration, result }: Closed, { state }: Change, { glyphs }: DisplaySettings): readonly Line[] {
  const closed = state.closed.findLast(({ number }) => number === iteration);
  if (!closed || result === 'abandoned') return [];
  const { passed } = closed.entry;
  const text = `${passed ? glyphs.tick : glyphs.cross}Iteration ${iteration} → ${passed ? 'passed' : 'failed'}${closed.claim ? ', claimed' : ''}`;
  return [prose(span(text, passed ? 'good' : 'bad'), span(` (${figures(closed)})`, 'dim'))];
}

function figures({ entry: { costUsd, durationMs } }: ClosedIteration): string {
  return `${costUsd === null ? 'cost unknown' : fineCostText(costUsd)}, ${secondsText(durationMs)}`;
}

function claimLines(closed: Closed, judged: GatesJudged | null, { state }: Change): readonly Line[] {
  if (closed.result === 'abandoned') return [prose(span(`Iteration ${closed.iteration} was left unfinished.`, 'busy'))];
  if (closed.accepted) return [];
  if (closed.claim === null) return missingTagLines(closed, state.run?.settings);
  const wasGuarded = state.closed.some(({ number, entry }) => number === closed.iteration && entry.restored.length > 0);
  // The lines of the proof have already said why.
  if (state.unacceptedClaims.at(-1)?.iteration === closed.iteration) return [];
  const why = wasGuarded ? 'protected paths were changed' : reason(closed, judged);
  return [prose(span(`Claim "${shorten(closed.claim.text, 40)}" not accepted: ${why}.`, 'busy'))];
}

/** Green checks without a claim cost another iteration, so the screen says so. */
function missingTagLines({ result }: Closed, settings: NonNullable<Change['state']['run']>['settings'] | undefined): readonly Line[] {
  const tag = requiredTagOf(settings);
  if (result !== 'green' || !settings || tag === null || tag === 'never') return [];
  return [prose(span(`The checks are green, but the agent did not say ${wordsForDone(settings).join(' or ')}.`, 'busy'))];
}

function reason(closed: Closed, judged: GatesJudged | null): string {
  if (judged?.results.some((result) => !result.green)) return `${redGatesText(judged.results)}${judged.where === 'clean' ? ' in a fresh checkout' : ''}`;
  if (closed.result === 'failed') return 'the agent failed';
  return closed.zero_work ? 'nothing has changed since the start' : 'it was not proven';
}
