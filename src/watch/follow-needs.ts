import { statSync } from 'node:fs';
import { join } from 'node:path';
import { evolve } from '../journal/evolve/evolve.ts';
import { emptyState, type RunState } from '../journal/state/state.ts';
import { type InboxItem, inboxOf } from '../people/questions/read-inbox.ts';
import { newestFirst, runWithStatus } from '../runs/manage/find-run.ts';
import { environment } from '../sandbox/environment/environment.ts';
import { followJournalFile } from '../store/journal-file.ts';
import { nameRuns } from '../store/runs/read-runs.ts';
import type { RunSummary, RunSummaryOrProblem } from '../store/runs/run-summary.ts';
import { keptFileRefs } from '../workspace/run-ends.ts';

/** What waits for a person, by the function that `ralph inbox` and the page use. Of a journal that has grown only what is new is read. */
export interface FollowedNeeds {
  look(nowMs: number): Promise<readonly InboxItem[]>;
}

interface Known {
  readonly size: number;
  readonly sight: RunSummaryOrProblem | null;
  readonly read: () => Promise<RunState | null>;
  state: Promise<RunState | null> | null;
}

/** More are listed by `ralph inbox`. */
const MOST_RUNS = 200;
const EVERY_MS = 1_000;
/** This starts a git. */
const KEPT_EVERY_MS = 10_000;

const hasStopped = (sight: RunSummaryOrProblem | null) => sight?.kind === 'run' && sight.stopped !== null;

/** `wanted`: only this run. `cwd`: the repository that keeps what could not land. */
export function followNeeds(folders: readonly string[], wanted: string | null, cwd: string): FollowedNeeds {
  const known = new Map<string, Known>();
  let kept: { readonly atMs: number; readonly refs: ReturnType<typeof keptFileRefs> } | null = null;
  let found: { readonly atMs: number; readonly items: readonly InboxItem[] } | null = null;

  async function sightsIn(folder: string): Promise<readonly RunSummaryOrProblem[]> {
    const { names, read } = await nameRuns(folder);
    const newest = names.slice(-MOST_RUNS).filter((name) => wanted === null || name === wanted);
    const sights: (RunSummaryOrProblem | null)[] = [];
    for (const name of newest) sights.push(await sightOf(join(folder, name), () => read(name)));
    return sights.filter((sight) => sight !== null);
  }

  /** Whether a run lives is asked each time, until it has recorded its end. */
  async function sightOf(path: string, read: () => Promise<RunSummaryOrProblem | null>): Promise<RunSummaryOrProblem | null> {
    const size = statSync(join(path, 'journal.jsonl'), { throwIfNoEntry: false })?.size ?? 0;
    const before = known.get(path);
    const isSame = before?.size === size;
    if (isSame && hasStopped(before.sight)) return before.sight;
    const sight = await read();
    known.set(path, { size, sight, read: before?.read ?? openState(path), state: isSame ? before.state : null });
    return sight;
  }

  const stateOf = (sight: RunSummary) => {
    const entry = known.get(sight.folder);
    if (entry === undefined) return Promise.resolve(null);
    entry.state ??= entry.read();
    return entry.state;
  };
  const keptNow = (nowMs: number) => {
    if (kept === null || nowMs - kept.atMs >= KEPT_EVERY_MS) kept = { atMs: nowMs, refs: keptFileRefs(cwd, environment()) };
    return kept.refs;
  };

  return {
    async look(nowMs) {
      if (found !== null && nowMs - found.atMs < EVERY_MS) return found.items;
      const runs = (await Promise.all(folders.map(sightsIn))).flat().map(runWithStatus).sort(newestFirst);
      const { items } = await inboxOf(runs, { all: false, stateOf, kept: () => keptNow(nowMs) });
      found = { atMs: nowMs, items };
      return items;
    },
  };
}

/** The state of a run as far as its journal is written; null once that cannot be read. */
function openState(folder: string): () => Promise<RunState | null> {
  const journal = followJournalFile(join(folder, 'journal.jsonl'));
  let state: RunState | null = emptyState;
  return async () => {
    try {
      state &&= (await journal.more()).reduce(evolve, state);
    } catch {
      state = null;
    }
    return state;
  };
}
