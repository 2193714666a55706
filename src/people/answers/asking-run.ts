import { join } from 'node:path';
import { JOURNAL_VERSION, type JournalEvent } from '../../journal/events/journal-event.ts';
import { evolve } from '../../journal/evolve/evolve.ts';
import { emptyState } from '../../journal/state/state.ts';
import type { AskedQuestion } from '../../journal/state/stories-state.ts';
import { answersIn } from '../../runs/left-answers.ts';
import { findRun, type ToldRun, toldRuns, unreadable } from '../../runs/manage/find-run.ts';
import type { Where } from '../../runs/manage/runs-folders.ts';
import { readJournalFile } from '../../store/journal-file.ts';
import type { RunBrief } from '../../store/runs/run-brief.ts';

const EVERYWHERE: Where = { root: null, project: null, task: null };

/** A run and what it has asked, oldest first. An answer that waits in its inbox counts. */
export interface AskingRun {
  readonly brief: RunBrief;
  readonly questions: readonly AskedQuestion[];
  readonly open: readonly AskedQuestion[];
  readonly isDone: boolean;
}

/** The run of that id, or of that end of an id. Null asks for the newest of this directory that has an open question; where none has, for the newest. */
export async function askingRun(cwd: string, wanted: string | null): Promise<AskingRun | null> {
  if (wanted !== null) return await askingOf(await findRun(cwd, wanted, EVERYWHERE));
  let newest: AskingRun | null = null;
  for (const told of await runsOnStories(cwd)) {
    const asking = await askingOf(told);
    if (!asking.isDone && asking.open.length > 0) return asking;
    newest ??= asking;
  }
  return newest;
}

/** Those of other directories and those another run asked for must be named, as for a resume. */
async function runsOnStories(cwd: string): Promise<readonly ToldRun[]> {
  return (await toldRuns(cwd, EVERYWHERE)).filter(
    ({ sight, parent }) => sight.kind === 'run' && sight.recipe === 'stories' && parent === null && (sight.origin === cwd || sight.cwd === cwd),
  );
}

async function askingOf({ sight, state }: ToldRun): Promise<AskingRun> {
  if (sight.kind === 'unreadable') throw unreadable(sight);
  const questions = await questionsOf(sight);
  return { brief: sight, questions, open: questions.filter(({ answer }) => answer === null), isDone: state === 'done' };
}

/** What a run has asked by now. */
export async function questionsOf({ folder }: Pick<RunBrief, 'folder'>): Promise<readonly AskedQuestion[]> {
  const events = await readJournalFile(join(folder, 'journal.jsonl'));
  const left = await answersIn(join(folder, 'inbox'));
  const known = [...events, ...left.map(({ event }, index) => asIfHeard(event, events.length + index + 1))];
  return known.reduce(evolve, emptyState).stories.questions;
}

function asIfHeard(body: JournalEvent['body'], seq: number): JournalEvent {
  return { v: JOURNAL_VERSION, seq, at: 0, body };
}
