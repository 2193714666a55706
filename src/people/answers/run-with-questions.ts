import { join } from 'node:path';
import { JOURNAL_VERSION, type JournalEvent } from '../../journal/events/journal-event.ts';
import { evolve } from '../../journal/evolve/evolve.ts';
import { emptyState } from '../../journal/state/state.ts';
import type { AskedQuestion } from '../../journal/state/stories-state.ts';
import { findRun, type RunWithStatus, runsWithStatus, unreadable } from '../../runs/manage/find-run.ts';
import type { RunFilter } from '../../runs/manage/runs-folders.ts';
import { unreadAnswersIn } from '../../runs/unread-answers.ts';
import { readJournalFile } from '../../store/journal-file.ts';
import type { RunSummary } from '../../store/runs/run-summary.ts';

const EVERYWHERE: RunFilter = { root: null, project: null, task: null };

/** A run and its questions, oldest first. An answer that waits in its inbox counts as given. */
export interface RunWithQuestions {
  readonly brief: RunSummary;
  readonly questions: readonly AskedQuestion[];
  readonly open: readonly AskedQuestion[];
  readonly isDone: boolean;
}

/** The run of that id, or of that end of an id. Null: the newest run of this directory with an open question; if there is none, the newest run. */
export async function findRunWithQuestions(cwd: string, wanted: string | null): Promise<RunWithQuestions | null> {
  if (wanted !== null) return await readAskingRun(await findRun(cwd, wanted, EVERYWHERE));
  let newest: RunWithQuestions | null = null;
  for (const known of await runsOnStories(cwd)) {
    const asking = await readAskingRun(known);
    if (!asking.isDone && asking.open.length > 0) return asking;
    newest ??= asking;
  }
  return newest;
}

/** Runs of other directories and child runs must be named, as for a resume. */
async function runsOnStories(cwd: string): Promise<readonly RunWithStatus[]> {
  return (await runsWithStatus(cwd, EVERYWHERE)).filter(
    ({ sight, parent }) => sight.kind === 'run' && sight.recipe === 'stories' && parent === null && (sight.origin === cwd || sight.cwd === cwd),
  );
}

async function readAskingRun({ sight, state }: RunWithStatus): Promise<RunWithQuestions> {
  if (sight.kind === 'unreadable') throw unreadable(sight);
  const questions = await questionsOf(sight);
  return { brief: sight, questions, open: questions.filter(({ answer }) => answer === null), isDone: state === 'done' };
}

/** The questions a run has asked so far. */
export async function questionsOf({ folder }: Pick<RunSummary, 'folder'>): Promise<readonly AskedQuestion[]> {
  const events = await readJournalFile(join(folder, 'journal.jsonl'));
  const left = await unreadAnswersIn(join(folder, 'inbox'));
  const known = [...events, ...left.map(({ event }, index) => withAnswersInInbox(event, events.length + index + 1))];
  return known.reduce(evolve, emptyState).stories.questions;
}

function withAnswersInInbox(body: JournalEvent['body'], seq: number): JournalEvent {
  return { v: JOURNAL_VERSION, seq, at: 0, body };
}
