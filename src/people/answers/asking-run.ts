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

/** A run and its questions, oldest first. An answer that waits in its inbox counts as given. */
export interface AskingRun {
  readonly brief: RunBrief;
  readonly questions: readonly AskedQuestion[];
  readonly open: readonly AskedQuestion[];
  readonly isDone: boolean;
}

/** The run of that id, or of that end of an id. Null: the newest run of this directory with an open question; if there is none, the newest run. */
export async function askingRun(cwd: string, wanted: string | null): Promise<AskingRun | null> {
  if (wanted !== null) return await readAskingRun(await findRun(cwd, wanted, EVERYWHERE));
  let newest: AskingRun | null = null;
  for (const known of await runsOnStories(cwd)) {
    const asking = await readAskingRun(known);
    if (!asking.isDone && asking.open.length > 0) return asking;
    newest ??= asking;
  }
  return newest;
}

/** Runs of other directories and child runs must be named, as for a resume. */
async function runsOnStories(cwd: string): Promise<readonly ToldRun[]> {
  return (await toldRuns(cwd, EVERYWHERE)).filter(
    ({ sight, parent }) => sight.kind === 'run' && sight.recipe === 'stories' && parent === null && (sight.origin === cwd || sight.cwd === cwd),
  );
}

async function readAskingRun({ sight, state }: ToldRun): Promise<AskingRun> {
  if (sight.kind === 'unreadable') throw unreadable(sight);
  const questions = await questionsOf(sight);
  return { brief: sight, questions, open: questions.filter(({ answer }) => answer === null), isDone: state === 'done' };
}

/** The questions a run has asked so far. */
export async function questionsOf({ folder }: Pick<RunBrief, 'folder'>): Promise<readonly AskedQuestion[]> {
  const events = await readJournalFile(join(folder, 'journal.jsonl'));
  const left = await answersIn(join(folder, 'inbox'));
  const known = [...events, ...left.map(({ event }, index) => withAnswersInInbox(event, events.length + index + 1))];
  return known.reduce(evolve, emptyState).stories.questions;
}

function withAnswersInInbox(body: JournalEvent['body'], seq: number): JournalEvent {
  return { v: JOURNAL_VERSION, seq, at: 0, body };
}
