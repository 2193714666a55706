import { join } from 'node:path';
import { type EventBody, JOURNAL_VERSION, type JournalEvent } from '../../journal/events/journal-event.ts';
import { evolve } from '../../journal/evolve/evolve.ts';
import { type InstructionMessage, LONGEST_MESSAGE_BYTES, type OperatorAnswer } from '../../journal/messages.ts';
import { retriesToCarryOut } from '../../journal/state/instructions.ts';
import { type AskedQuestion, openQuestions } from '../../journal/state/questions.ts';
import { emptyState, type RunState } from '../../journal/state/state.ts';
import { howToResume } from '../../journal/words/outcome.ts';
import { OperatorError } from '../../kit/pure/operator-error.ts';
import { truncateCodePoints } from '../../kit/pure/text.ts';
import { type Need, needsOf } from '../../report/needs/needs.ts';
import { eventOfAnswer } from '../../runs/inbox.ts';
import { findRun, type RunWithStatus, runsWithStatus, unreadable } from '../../runs/manage/find-run.ts';
import { isActive, leaveMessage, untilTaken } from '../../runs/manage/leave-message.ts';
import type { RunFilter } from '../../runs/manage/runs-folders.ts';
import { sendInstruction } from '../../runs/manage/send-request.ts';
import { unreadAnswersIn } from '../../runs/unread-answers.ts';
import { environment } from '../../sandbox/environment/environment.ts';
import { factsOf } from '../../settings/schema/recipe-facts.ts';
import { readJournalFile } from '../../store/journal-file.ts';
import { folderAround } from '../../store/run-home.ts';
import type { RunSummary } from '../../store/runs/run-summary.ts';
import { stillOpen } from '../questions/read-inbox.ts';

export interface AnswerRequest {
  readonly cwd: string;
  /** Null: the newest run with an open question. */
  readonly run: string | null;
  /** The story or task; null: the newest question. */
  readonly task: string | null;
  readonly answer: string;
  /** Who answers. */
  readonly by: string;
  /** Whether to only store the answer for a run that is not running. */
  readonly later: boolean;
  /** How long a running run has to read it. */
  readonly timeoutMs: number;
}

/**
 * heard: the running run has journaled it. unheard: it is in the inbox and nobody has read it yet. refused: the loop removed it and journaled nothing. kept: it
 * is in the inbox until the run is resumed. resume: the run is not running and gets the answer when it resumes.
 */
export interface AnsweredQuestion {
  readonly run: string;
  readonly question: AskedQuestion | TaskForAnotherTry;
  readonly result: 'heard' | 'unheard' | 'refused' | 'kept' | 'resume';
  readonly said: readonly EventBody[];
}

/** A task of a plan that failed, conflicts or is held. A person's words make it ready again, and go into its next prompt. */
export type TaskForAnotherTry = Need & { readonly task: string };

/** Gives a person's answer to the newest open question, or to a task that another try is left for. Throws when nothing waits for it. */
export async function answerQuestion(request: AnswerRequest): Promise<AnsweredQuestion> {
  const run = await findRunWithQuestions(request.cwd, request.run, request.task);
  if (run === null) throw noRunAsks();
  const { brief } = run;
  if (environment()['RALPH_RUN_ID'] === brief.run) throw answersItself(brief.run);
  const left = run.open.some(({ task }) => task === request.task) ? undefined : run.left.find(({ task }) => task === request.task);
  if (left !== undefined) return await tryAgain(brief, left, request);
  const question = questionIn(run, request.task);
  const message: OperatorAnswer = { answer: request.answer, story: question.task, by: request.by };
  refuseTooLong(message);
  const answered = { run: brief.run, question, said: [eventOfAnswer(message)] };
  if (await isActive(brief)) {
    const result = await deliverToLoop(run, message, { question, timeoutMs: request.timeoutMs });
    if (result !== 'over') return { ...answered, result: result };
    // It may have stopped to ask just this, or because everything is done.
    return await answerQuestion({ ...request, run: brief.run });
  }
  if (!request.later) return { ...answered, result: 'resume' };
  await leaveMessage(brief, message);
  return { ...answered, result: 'kept' };
}

/** The loop frees the task, and passes the words on to whoever takes it. A run that is not running finds them in its inbox when it is resumed. */
async function tryAgain(brief: RunSummary, question: TaskForAnotherTry, { answer, by, later, timeoutMs }: AnswerRequest): Promise<AnsweredQuestion> {
  const message: InstructionMessage = { instruct: { kind: 'again', task: question.task, text: answer, agent: null }, by };
  refuseTooLong(message);
  const result = await sendInstruction(brief, message, timeoutMs);
  return { run: brief.run, question, said: [], result: result === 'kept' && !later ? 'resume' : result };
}

function questionIn(run: RunWithQuestions, task: string | null): AskedQuestion {
  const question = run.open.findLast((open) => task === null || open.task === task);
  if (run.isDone || question === undefined) throw nothingToAnswer(run, task);
  return question;
}

function refuseTooLong(message: OperatorAnswer | InstructionMessage): void {
  const bytes = Buffer.byteLength(JSON.stringify(message)) + 1;
  if (bytes > LONGEST_MESSAGE_BYTES) throw answerTooLong(bytes, LONGEST_MESSAGE_BYTES);
}

interface Delivery {
  readonly question: AskedQuestion;
  readonly timeoutMs: number;
}

/** A loop also removes messages that it does not understand. Only the journal shows whether it has accepted the answer. */
async function deliverToLoop(
  { brief }: RunWithQuestions,
  message: OperatorAnswer,
  { question, timeoutMs }: Delivery,
): Promise<'heard' | 'unheard' | 'refused' | 'over'> {
  const result = await untilTaken(await leaveMessage(brief, message), brief, timeoutMs);
  if (result !== 'taken') return result === 'waits' ? 'unheard' : 'over';
  const now = (await stateWithInbox(brief)).questions.find(({ task, askedAtMs }) => task === question.task && askedAtMs === question.askedAtMs);
  if (now?.answer !== null) return 'heard';
  return (await isActive(brief)) ? 'refused' : 'over';
}

const SHOWN_CHARS = 100;

/** Why this run has nothing to answer, for one story or task if one is named. */
function nothingToAnswer({ brief: { run }, questions, open, left: [left], isDone }: RunWithQuestions, task: string | null): OperatorError {
  if (isDone) return refused('run-done', `run ${run} is done and has no open questions`, 'Start a new run.');
  const answered = questions.findLast((question) => question.answer !== null && (task === null || question.task === task));
  if (task !== null && open.length > 0 && !answered) {
    const asked = [...new Set(open.map((question) => question.task ?? 'the run as a whole'))];
    return refused('no-question', `run ${run} has no open question about ${task}`, `It asks about ${asked.join(', ')}.`);
  }
  const held = questions.find(({ kind, answer }) => kind === 'held' && answer === null);
  if (held !== undefined && !answered)
    return refused('no-question', `run ${run} has no open questions, but a held claim`, `Look at it with: ralph accept ${run} --dry-run`);
  if (!answered && left !== undefined) return refused('no-question', `run ${run} has no open questions`, `Have ${left.task} tried again with: ${left.command}`);
  if (!answered) return refused('no-question', `run ${run} has no open questions`, `See its status with: ralph runs show ${run}`);
  const about = answered.task === null ? '' : ` about ${answered.task}`;
  return refused(
    'already-answered',
    `the question of run ${run}${about} is already answered: ${truncateCodePoints(answered.answer ?? '', SHOWN_CHARS, '…')}`,
    `If it has stopped, continue it with: ${howToResume(run)}`,
  );
}

function noRunAsks(): OperatorError {
  return refused('run-unknown', 'no run was started in this directory', 'List the runs with: ralph runs list; name one with --run.');
}

function answerTooLong(bytes: number, most: number): OperatorError {
  return refused('usage', `the answer is too long (${bytes} bytes, ${most} at most)`, 'Put it into a file of the repository, and answer with its name.');
}

/** Questions are for people: its agent would only talk to itself. */
function answersItself(run: string): OperatorError {
  return refused('answers-itself', `run ${run} asks a person, and this is its own agent`, 'Leave the question to the people who run it.');
}

function refused(code: string, message: string, hint: string): OperatorError {
  return new OperatorError(code, message, { hint, exitCode: 2 });
}

const EVERYWHERE: RunFilter = { root: null, project: null, task: null };

/** A run and its questions, oldest first. An answer that waits in its inbox counts as given. Held claims are not open questions: a person accepts them. */
export interface RunWithQuestions {
  readonly brief: RunSummary;
  readonly questions: readonly AskedQuestion[];
  readonly open: readonly AskedQuestion[];
  /** Tasks of its plan that no run takes before a person has said something. */
  readonly left: readonly TaskForAnotherTry[];
  readonly isDone: boolean;
}

/**
 * The run of that id, or of that end of an id. Null: the newest run of this directory with an open question, else with any question, else the newest. With a
 * task, first the newest in which that one waits.
 */
export async function findRunWithQuestions(cwd: string, wanted: string | null, about: string | null = null): Promise<RunWithQuestions | null> {
  if (wanted !== null) return await readAskingRun(await findRun(cwd, wanted, EVERYWHERE));
  let best: RunWithQuestions | null = null;
  for (const known of await runsHere(cwd)) {
    const run = await readAskingRun(known);
    if (best === null || rankOf(run, about) > rankOf(best, about)) best = run;
    if (rankOf(run, about) === (about === null ? 2 : 3)) break;
  }
  return best;
}

function rankOf({ isDone, open, left, questions }: RunWithQuestions, about: string | null): number {
  if (!isDone && about !== null && [...open, ...left].some(({ task }) => task === about)) return 3;
  if (!isDone && open.length > 0) return 2;
  return questions.length > 0 ? 1 : 0;
}

/** Runs of other directories and child runs must be named, as for a resume. */
async function runsHere(cwd: string): Promise<readonly RunWithStatus[]> {
  return (await runsWithStatus(cwd, EVERYWHERE)).filter(({ sight, parent }) => sight.kind === 'run' && parent === null && folderAround(cwd, sight) !== null);
}

async function readAskingRun({ sight, state }: RunWithStatus): Promise<RunWithQuestions> {
  if (sight.kind === 'unreadable') throw unreadable(sight);
  const now = await stateWithInbox(sight);
  const open = openQuestions(now).filter(({ kind }) => kind !== 'held');
  return { brief: sight, questions: now.questions, open, left: await leftTasks(sight, now), isDone: state === 'done' };
}

const ANOTHER_TRY: ReadonlySet<Need['kind']> = new Set(['failed', 'conflict', 'dead', 'held']);

async function leftTasks(brief: RunSummary, now: RunState): Promise<readonly TaskForAnotherTry[]> {
  if (!factsOf(now.run?.settings).hasTasks) return [];
  const isSent = (task: string) => retriesToCarryOut(now).some((retry) => retry.task === task);
  const needs = (await stillOpen(needsOf(now), brief, now)).filter(({ kind }) => ANOTHER_TRY.has(kind));
  return needs.flatMap(({ task, ...need }) => (task === null || isSent(task) ? [] : [{ ...need, task }]));
}

/** The state of a run as it will be once it has read what people have left in its inbox. */
async function stateWithInbox({ folder }: Pick<RunSummary, 'folder'>): Promise<RunState> {
  const events = await readJournalFile(join(folder, 'journal.jsonl'));
  const left = await unreadAnswersIn(join(folder, 'inbox'));
  const known = [...events, ...left.map(({ event }, index) => withAnswersInInbox(event, events.length + index + 1))];
  return known.reduce(evolve, emptyState);
}

function withAnswersInInbox(body: JournalEvent['body'], seq: number): JournalEvent {
  return { v: JOURNAL_VERSION, seq, at: 0, body };
}
