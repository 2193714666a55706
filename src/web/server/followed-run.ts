import { statSync } from 'node:fs';
import { join } from 'node:path';
import type { RunState } from '../../journal/state/state.ts';
import type { Figures } from '../../report/history/figures.ts';
import { type FollowedJournal, followJournalFile, streamJournalFile } from '../../store/journal-file.ts';
import type { RunSummary } from '../../store/runs/run-summary.ts';
import { type Agents, openAgents, STANDING } from '../../watch/follow-runs.ts';
import type { WatchedRun } from '../../watch/view/watched-run.ts';
import { rowOf, withoutTheDead } from '../view/bars.ts';
import type { Ends } from '../view/changes.ts';
import { provenTimes, type RunSums } from '../view/days.ts';
import type { IterationPage, RunPage, RunRow } from '../view/page.ts';
import { openRunFold, type PageWorld, type RunFold, runPage } from '../view/run-fold.ts';
import { type ShownAttempt, shownAttempt } from '../view/shown.ts';
import { sentTo } from './sent-messages.ts';

/** One run, folded from its journal as far as that is written. It only reads. */
export interface FollowedRun extends Disposable {
  readonly folder: string;
  /** Reads what is new. */
  look(summary: RunSummary, nowMs: number): Promise<void>;
  /** Frees what only a page needs; the next page reads the journal again. */
  release(): void;
  known(): KnownRun;
  page(nowMs: number): Promise<RunPage | null>;
  iteration(number: number, seq: number | null): Promise<IterationPage | null>;
  /** Whose words are shown with that iteration. */
  attempt(iteration: number): Promise<ShownAttempt | null>;
  /** What that iteration changed, or the whole run; null: the journal does not tell. */
  ends(iteration: number | null): Promise<Ends | null>;
  /** The run as it was when its journal had that many events. */
  pageAt(seq: number): Promise<RunPage | null>;
}

/** What the list of runs needs of each. */
export interface KnownRun {
  readonly state: RunState;
  readonly standing: WatchedRun['standing'];
  readonly tasks: WatchedRun['tasks'];
  readonly row: RunRow;
  readonly sums: RunSums;
  readonly figures: Figures;
}

const BARS_IN_LIST = 80;

export function openFollowedRun(first: RunSummary, dateOf: (ms: number) => string): FollowedRun {
  const path = join(first.folder, 'journal.jsonl');
  const reader = openReader(path, dateOf);
  let summary = first;
  let known: KnownRun | null = null;
  let agents: Agents | null = null;
  let size = -1;

  const standing = (state: RunState): WatchedRun['standing'] => (state.stopped === null ? STANDING[summary.liveness] : 'stopped');

  function world(fold: RunFold, nowMs: number): PageWorld {
    const { state } = fold.history();
    agents ??= openAgents(summary.folder);
    const activity = standing(state) === 'running' ? agents.look(state, nowMs) : new Map();
    const { seq: lastSeq } = fold.position();
    return { nowMs, standing: standing(state), activity, lastSeq, isPast: false, sent: [] };
  }

  return {
    folder: first.folder,
    async look(now, nowMs) {
      summary = now;
      const sizeNow = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
      const stands = known && standing(known.state);
      if (known !== null && sizeNow === size && stands === known.standing && stands !== 'running') return;
      const fold = await reader.read();
      const { state } = fold.history();
      [size, known] = [sizeNow, knownFrom(fold, standing(state), nowMs)];
    },
    release() {
      agents?.[Symbol.dispose]();
      agents = null;
      reader.forget();
    },
    known() {
      if (known === null) throw new Error('Nobody has looked at this run yet.');
      return known;
    },
    async page(nowMs) {
      const fold = await reader.read();
      return runPage(fold, { ...world(fold, nowMs), sent: await sentTo(summary.folder) });
    },
    async iteration(number, seq) {
      return (seq === null ? await reader.read() : await foldTo(path, seq, dateOf)).iteration(number);
    },
    async attempt(iteration) {
      return shownAttempt((await reader.read()).history(), iteration);
    },
    async ends(iteration) {
      const { changes } = await reader.read();
      return iteration === null ? changes.ofRun() : changes.of(iteration);
    },
    async pageAt(seq) {
      const [live, past] = [await reader.read(), await foldTo(path, seq, dateOf)];
      const stood = past.history().state.stopped === null ? ('running' as const) : ('stopped' as const);
      return runPage(past, { ...world(live, past.position().atMs), standing: stood, activity: new Map(), isPast: true });
    },
    [Symbol.dispose]: () => agents?.[Symbol.dispose](),
  };
}

/** The clock moves an open bar this often, or each moment would be news. */
const ROW_EVERY_MS = 10_000;

function knownFrom(fold: RunFold, standing: WatchedRun['standing'], nowMs: number): KnownRun {
  const { state, figures, tasks } = fold.history();
  const sums = { days: fold.days.days, gates: fold.days.gates, provenAtMs: provenTimes(figures), spent: figures.spent };
  const lastMs = state.time.lastMs;
  const endMs = standing === 'running' ? Math.max(lastMs, nowMs - (nowMs % ROW_EVERY_MS)) : lastMs;
  return { state, standing, tasks, figures, sums, row: rowOf(withoutTheDead(fold.bars(BARS_IN_LIST), standing, lastMs), endMs) };
}

const PIECE_BYTES = 1024 * 1024;

interface Reader {
  /** The fold of the whole journal, as far as it is written. */
  read(): Promise<RunFold>;
  forget(): void;
}

/** One read at a time: two would add an event twice. */
function openReader(path: string, dateOf: (ms: number) => string): Reader {
  let open: { readonly fold: RunFold; readonly journal: FollowedJournal } | null = null;
  let reading: Promise<unknown> = Promise.resolve();
  const readOn = async () => {
    open ??= { fold: openRunFold(dateOf), journal: followJournalFile(path) };
    const { fold, journal } = open;
    // In pieces, so that a long journal neither fills the memory nor keeps other pages waiting.
    for (let events = await journal.more(PIECE_BYTES); events.length > 0; events = await journal.more(PIECE_BYTES)) for (const event of events) fold.add(event);
    return fold;
  };
  return {
    read() {
      const next = reading.then(readOn, readOn);
      reading = next.catch(() => undefined);
      return next;
    },
    forget() {
      open = null;
    },
  };
}

async function foldTo(path: string, seq: number, dateOf: (ms: number) => string): Promise<RunFold> {
  const fold = openRunFold(dateOf);
  for await (const event of streamJournalFile(path)) {
    if (event.seq > seq) break;
    fold.add(event);
  }
  return fold;
}
