import type { EventBody } from '../../../journal/events/journal-event.ts';
import { bannerLines, resumedLines } from '../../../report/console/banner-lines.ts';
import type { Change } from '../../../report/console/change.ts';
import type { GateFeed } from '../../../report/console/gate-feed.ts';
import { isStories } from '../../../report/console/gate-words.ts';
import { blank, type Line, prose, span } from '../../../report/console/line.ts';
import type { Look } from '../../../report/console/look.ts';
import { storyPlanRows } from './stories-rows.ts';
import { answeredLines, askedLines, letGoLines, storiesSeenLines } from './stories-seen-lines.ts';
import { turnSettledLines } from './stories-settled-lines.ts';
import { storiesSummaryLines } from './stories-summary-lines.ts';
import { turnAgentLines, turnEndedLines, turnHeading, turnLines } from './stories-turn-lines.ts';
import { recordedLines, turnClosedLines } from './stories-verdict-lines.ts';

/** The screen of a run on stories (seed 003), where it differs from any other. */
export interface StoriesFeed {
  /** Null: told like that of any other run. */
  hear(body: EventBody, change: Change): readonly Line[] | null;
}

type Said<T extends EventBody['type']> = Extract<EventBody, { type: T }>;
type Teller<T extends EventBody['type']> = (body: Said<T>, change: Change, means: Means) => readonly Line[] | null;

interface Means {
  readonly look: Look;
  readonly gates: GateFeed;
}

export function openStoriesFeed(look: Look, gates: GateFeed): StoriesFeed {
  return { hear: (body, change) => (isStories(change.state.run) ? linesFor(body, change, { look, gates }) : null) };
}

function linesFor<T extends EventBody['type']>(body: Said<T>, change: Change, means: Means): readonly Line[] | null {
  const tell = tellers[body.type] as Teller<T> | undefined;
  return tell?.(body, change, means) ?? null;
}

/** The checks of a list that is complete before anybody has worked on it. */
const provenAtRest: readonly Line[] = [blank, prose(span('Every story counts already: the checks look once', 'accent'))];

/** What is not in it is told like that of any other run. */
const tellers: { readonly [T in EventBody['type']]?: Teller<T> } = {
  'run.started': (body) => bannerLines(body),
  'run.resumed': (body, { state }, { look }) => {
    const { plan } = state.stories;
    return [...resumedLines(body, state), ...(plan && state.run ? storyPlanRows(plan, state.run.settings, look) : [])];
  },
  'run.stopped': ({ outcome }, { state, atMs }, { look, gates }) => storiesSummaryLines({ outcome, state, judged: gates.last, closed: [], atMs }, look),
  'iteration.opened': ({ iteration }, change, { look }) => turnHeading(iteration, change, look),
  'iteration.closed': (body) => turnClosedLines(body),
  'effect.begun': ({ effect }) => {
    if (effect.kind === 'run-agent') return turnAgentLines(effect);
    return effect.kind === 'run-gates' && effect.where === 'start' ? provenAtRest : null;
  },
  'attempt.ended': (body, change, { look }) => turnEndedLines(body, change, look),
  'stories.seen': (body, change, { look }) => storiesSeenLines(body, change, look),
  'turn.begun': (body, change, { look }) => turnLines(body, change, look),
  'stories.settled': (body, _change, { look }) => turnSettledLines(body, look),
  'stories.recorded': (body, change, { look }) => recordedLines(body, change, look),
  'question.asked': (body, _change, { look }) => askedLines(body, look),
  'question.answered': (body, _change, { look }) => answeredLines(body, look),
  'stop.refused': (body, _change, { look }) => letGoLines(body, look),
};
