import { assertNever } from '../../kit/pure/assert-never.ts';
import { attemptId } from '../../journal/effects/effect.ts';
import type { AttemptEnded } from '../../journal/events/attempt.ts';
import type { JournalEvent } from '../../journal/events/journal-event.ts';
import { isStoryEvent } from '../../journal/events/story-event.ts';
import { isTaskEvent } from '../../journal/events/task-event.ts';
import { isWorkEvent } from '../../journal/events/work-event.ts';
import type { Progress } from '../../journal/progress.ts';
import { lastNumber } from '../../journal/last-number.ts';
import { type ClosedIteration, emptyState, type RunState } from '../../journal/state/state.ts';
import { attemptLines } from './attempt-lines.ts';
import { bannerLines, iterationHeading, resumedLines } from './banner-lines.ts';
import { begunLines } from './begun-lines.ts';
import type { Change } from './change.ts';
import { closingLines } from './closing-lines.ts';
import { type GateFeed, openGateFeed } from './gate-feed.ts';
import { gateWords, isLoop } from './gate-words.ts';
import { leavingLines } from './leaving-lines.ts';
import { blank, type Line, prose, span } from './line.ts';
import type { Look } from './look.ts';
import { loopSummaryLines } from './loop-summary-lines.ts';
import { restoredLines, specSeenLines } from './proof-lines.ts';
import { reviewEndedLines } from './review-lines.ts';
import { commandEndedLines, commitMadeLines, commitRefusedLines, messageEndedLines } from './scm-lines.ts';
import { settingsSeenLines } from './settings-seen-lines.ts';
import { openStoriesFeed } from '../../recipes/review/console/stories-feed.ts';
import { type Ended, summaryLines } from './summary-lines.ts';
import { openSuperviseFeed } from '../../recipes/supervise/console/supervise-feed.ts';
import { spentRestartsLines } from '../../recipes/supervise/console/supervise-life-lines.ts';
import { openVerboseFeed } from './verbose-feed.ts';
import { wallRefusedLines } from './wall-lines.ts';
import { openWorkFeed } from '../../recipes/work/console/work-feed.ts';

/** The run's own events as lines. It remembers the state before each, since some lines tell what has changed. */
export interface JournalFeed {
  hear(event: JournalEvent, state: RunState, streamEvents: number): readonly Line[];
  hearProgress(progress: Progress): readonly Line[];
  /** Whether what an agent says is only for the loop: a commit message is shown with its commit. */
  isSilent(attempt: string): boolean;
  /** What a run.stopped means, for those who want it told in another way. */
  ended(event: JournalEvent, state: RunState): Ended | null;
}

const MOST_REMEMBERED = 100;

export function openJournalFeed(look: Look, verbose: boolean): JournalFeed {
  const gates = openGateFeed(look, verbose);
  const details = verbose ? openVerboseFeed() : null;
  const supervised = openSuperviseFeed(look);
  const worked = openWorkFeed(look, gates);
  const storied = openStoriesFeed(look, gates);
  const closed = new Map<number, ClosedIteration>();
  let before: RunState = emptyState;

  return {
    hear(event, state, streamEvents) {
      const change: Change = { before, state, atMs: event.at };
      before = state;
      remember(state.closed, closed);
      const own = supervised.hear(event.body, change) ?? worked.hear(event.body, change) ?? storied.hear(event.body, change);
      const lines = own ?? eventLines(event, change, { gates, look, closed });
      const more = details?.hear(event, change, streamEvents) ?? [];
      // Settings are read before there is anything to start with them.
      return event.body.type === 'run.started' ? [...more, ...lines] : [...lines, ...more];
    },
    hearProgress: (progress) => worked.hearProgress(progress, before) ?? gates.hear(progress, gateWords(before.run)),
    isSilent: (attempt) => before.inFlight.some((effect) => effect.kind === 'run-agent' && effect.role === 'message' && attemptId(effect) === attempt),
    ended({ body, at }, state) {
      return body.type === 'run.stopped' ? { outcome: body.outcome, state, judged: gates.last, closed: [...closed.values()], atMs: at } : null;
    },
  };
}

interface Means {
  readonly gates: GateFeed;
  readonly look: Look;
  readonly closed: ReadonlyMap<number, ClosedIteration>;
}

function eventLines({ body, at }: JournalEvent, change: Change, { gates, look, closed }: Means): readonly Line[] {
  const { state } = change;
  // The screens of a supervised run, and of a run on a plan or on stories, tell these.
  if (isTaskEvent(body) || isWorkEvent(body) || isStoryEvent(body)) return [];
  switch (body.type) {
    case 'run.started':
      return bannerLines(body);
    case 'run.resumed':
      return resumedLines(body, state);
    case 'iteration.opened':
      return [blank, iterationHeading(body.iteration, lastNumber(state))];
    case 'effect.begun':
      return begunLines(body.effect, change);
    case 'effect.lost':
      return [prose(span(`Nothing had come of ${body.key}: it is done again.`, 'busy'))];
    case 'attempt.ended':
      return endedLines(body, change, look);
    case 'gates.judged':
      return gates.judged(body, change);
    case 'commit.made':
      return commitMadeLines(body, change, look);
    case 'commit.refused':
      return commitRefusedLines(body, change);
    case 'command.ended':
      return commandEndedLines(body, look);
    case 'iteration.closed':
      return closingLines(body, gates.told(body.iteration), change, look);
    case 'operator.asked':
      return leavingLines(body, state.run?.settings.limits.graceMs ?? null);
    case 'settings.seen':
      return settingsSeenLines(body.files, look);
    case 'run.stopped':
      return endLines({ outcome: body.outcome, state, judged: gates.last, closed: [...closed.values()], atMs: at });
    case 'paths.restored':
      return restoredLines(body, look);
    case 'spec.seen':
      return specSeenLines(body, look);
    case 'wall.refused':
      return wallRefusedLines(body, look);
    case 'receipt.written':
    case 'attempt.spawned':
    case 'limit.seen':
      return [];
    default:
      return assertNever(body);
  }
}

/** The state keeps the last ten, a summary wants more of them; but not more than anybody reads. */
function remember(iterations: readonly ClosedIteration[], closed: Map<number, ClosedIteration>): void {
  const unknown = iterations.filter(({ number }) => !closed.has(number));
  for (const iteration of unknown) closed.set(iteration.number, iteration);
  for (const number of closed.keys()) {
    if (closed.size <= MOST_REMEMBERED) return;
    closed.delete(number);
  }
}

function endLines(ended: Ended): readonly Line[] {
  return isLoop(ended.state.run) ? loopSummaryLines(ended) : [...spentRestartsLines(ended.outcome, ended.state), ...summaryLines(ended)];
}

function endedLines(body: AttemptEnded, change: Change, look: Look): readonly Line[] {
  if (body.role === 'review') return reviewEndedLines(body, change, look);
  return body.role === 'message' ? messageEndedLines(body, change, look) : attemptLines(body, change, look);
}
