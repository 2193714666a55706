import { type AttemptTail, openAttemptTail } from '../../runs/manage/tail-run.ts';
import { openAgentEntries } from '../view/agent-entries.ts';
import type { AgentEntry } from '../view/page.ts';
import type { ShownAttempt } from '../view/shown.ts';

/** What an agent says, from one look to the next. */
export interface AgentTail extends Disposable {
  /** Null: nothing is new. `isNew`: the entries are of another attempt than before, and replace what was shown. */
  more(shown: ShownAttempt | null): AgentNews | null;
}

export interface AgentNews {
  readonly attempt: string;
  readonly isNew: boolean;
  readonly entries: readonly AgentEntry[];
}

const LAST_BYTES = 512 * 1024;
const MOST_ENTRIES = 400;

export function openAgentTail(runFolder: string): AgentTail {
  let tail: AttemptTail | null = null;
  let before: string | null = null;
  let entryOf = openAgentEntries();
  return {
    more(shown) {
      if (shown === null) return null;
      const isNew = shown.attempt !== before;
      if (isNew) {
        tail?.[Symbol.dispose]();
        tail = openAttemptTail({ runFolder, ...shown, lastBytes: LAST_BYTES });
        before = shown.attempt;
        entryOf = openAgentEntries();
      }
      const entries = (tail?.more() ?? []).flatMap((event) => entryOf(event) ?? []).slice(-MOST_ENTRIES);
      return isNew || entries.length > 0 ? { attempt: shown.attempt, isNew, entries } : null;
    },
    [Symbol.dispose]: () => tail?.[Symbol.dispose](),
  };
}
