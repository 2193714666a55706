import type { AttemptEnded } from '../../../journal/events/attempt.ts';
import type { EventBody } from '../../../journal/events/journal-event.ts';
import type { RunState } from '../../../journal/state/state.ts';
import type { Change } from '../../../report/console/change.ts';
import { isSupervised } from '../../../report/console/gate-words.ts';
import { blank, type Line, prose, span } from '../../../report/console/line.ts';
import type { Look } from '../../../report/console/look.ts';
import {
  childRefusedLines,
  childrenAwaitedLines,
  childrenEndedLines,
  childrenOutlivedLines,
  childrenSeenLines,
  childStartedLines,
  lostChildLines,
} from './supervise-child-lines.ts';
import { leftLifeLines, lifeEndedLines, lifeHeading } from './supervise-life-lines.ts';
import { dependencyLines, doneRefusedLines, doneSeenLines, lookLines, postedLines } from './supervise-task-lines.ts';

/** The screen of a supervised run, where it differs from any other. It remembers how the last life ended: whether there is another one is known only later. */
export interface SuperviseFeed {
  /** Null: told like that of any other run. */
  hear(body: EventBody, change: Change): readonly Line[] | null;
}

type Said<T extends EventBody['type']> = Extract<EventBody, { type: T }>;
type Teller<T extends EventBody['type']> = (body: Said<T>, change: Change, known: Known) => readonly Line[] | null;

interface Known {
  /** How the last life ended; null when nobody saw it. */
  readonly last: AttemptEnded | null;
  readonly look: Look;
}

export function openSuperviseFeed(look: Look): SuperviseFeed {
  let last: AttemptEnded | null = null;
  return {
    hear(body, change) {
      if (!isSupervised(change.state.run)) return null;
      if (body.type === 'attempt.ended') last = body;
      return linesFor(body, change, { last, look });
    },
  };
}

function linesFor<T extends EventBody['type']>(body: Said<T>, change: Change, known: Known): readonly Line[] | null {
  const tell = tellers[body.type] as Teller<T> | undefined;
  return tell?.(body, change, known) ?? null;
}

/** What is not in it is told like that of any other run. */
const tellers: { readonly [T in EventBody['type']]?: Teller<T> } = {
  'iteration.opened': (_body, { state }) => lifeHeading(state),
  'effect.begun': ({ effect }) => (effect.kind === 'run-agent' ? againLines(effect.attempt) : null),
  'effect.lost': ({ key }, { before }, { look }) =>
    lostChildLines(
      before.inFlight.find((effect) => effect.key === key),
      look,
    ),
  'attempt.ended': (body, change, { look }) => lifeEndedLines(body, change, look),
  'iteration.closed': (body) => leftLifeLines(body),
  'task.seen': (body, change, { last }) => lookLines(body, change, last),
  'done.seen': ({ done }, { state }, { look }) => (isAtWork(state) ? doneSeenLines(done, state, look) : []),
  'done.refused': (body, change, { look }) => doneRefusedLines(body, change, look),
  'dependencies.seen': (_body, change) => dependencyLines(change),
  'child.started': (body) => childStartedLines(body),
  'child.refused': (body, _change, { look }) => childRefusedLines(body, look),
  'children.seen': (_body, change) => childrenSeenLines(change),
  'children.awaited': ({ active }) => childrenAwaitedLines(active),
  'children.outlived': ({ active }, { state }, { look }) => childrenOutlivedLines(active, state, look),
  'children.ended': (body, _change, { look }) => childrenEndedLines(body, look),
  posted: (body, _change, { look }) => postedLines(body, look),
};

/** Between two lives the look that follows tells it. */
function isAtWork({ inFlight }: RunState): boolean {
  return inFlight.some((effect) => effect.kind === 'run-agent');
}

function againLines(attempt: number): readonly Line[] {
  return attempt === 1 ? [] : [blank, prose(span('The agent is run once more; this is no restart.', 'accent'))];
}
