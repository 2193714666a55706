import type { EventBody, JournalEvent } from '../../journal/events/journal-event.ts';
import { MOST_BARS } from './bars.ts';

/** Two states of the files in git, by commit or tree. What others have merged in between is in neither. */
export interface Ends {
  readonly from: string;
  readonly to: string;
}

/** What each iteration has changed, and the whole run, as far as the journal names it. */
export interface ChangesFold {
  add(event: JournalEvent): void;
  of(iteration: number): Ends | null;
  /** Null also where `ralph diff` knows it better. */
  ofRun(): Ends | null;
}

export function openChanges(): ChangesFold {
  const from = new Map<number, string>();
  const to = new Map<number, string>();
  let [first, last, seen] = ['', '', ''];
  const forget = (old: number) => {
    from.delete(old);
    to.delete(old);
  };
  return {
    add({ body }) {
      if (body.type === 'iteration.opened') forget(body.iteration - MOST_BARS);
      const begun = beginningIn(body, seen);
      if (begun !== null) from.set(begun.iteration, begun.id);
      const ended = endIn(body);
      if (ended !== null) to.set(ended.iteration, ended.id);
      seen = seenIn(body) ?? seen;
      if (body.type === 'workspace.opened') first ||= body.base;
      if (body.type === 'merge.judged') last = body.commit ?? last;
    },
    of: (iteration) => endsFrom(from.get(iteration), to.get(iteration)),
    ofRun: () => endsFrom(first, last),
  };
}

interface Named {
  readonly iteration: number;
  readonly id: string;
}

/** The files as the next iteration finds them. */
function seenIn(body: EventBody): string | null {
  if (body.type === 'run.started') return body.found?.tree ?? null;
  return body.type === 'gates.judged' && body.where === 'workspace' ? (body.tree_after ?? body.tree) : null;
}

function beginningIn(body: EventBody, seen: string): Named | null {
  if (body.type === 'workspace.opened') return { iteration: body.iteration, id: body.base };
  if (body.type === 'turn.begun') return { iteration: body.iteration, id: body.head };
  return body.type === 'iteration.opened' && seen !== '' ? { iteration: body.iteration, id: seen } : null;
}

function endIn(body: EventBody): Named | null {
  if (body.type === 'plan.settled' || body.type === 'stories.settled') return { iteration: body.iteration, id: body.head };
  if (body.type === 'commit.made') return { iteration: body.iteration, id: body.commit };
  if (body.type !== 'gates.judged' || body.where !== 'workspace' || body.tree === null) return null;
  return { iteration: body.iteration, id: body.tree };
}

/** An id from a journal becomes a word of a command. */
const ID = /^[0-9a-f]{40,64}$/;

function endsFrom(from = '', to = ''): Ends | null {
  return ID.test(from) && ID.test(to) ? { from, to } : null;
}
