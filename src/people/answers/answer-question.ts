import type { EventBody } from '../../journal/events/journal-event.ts';
import { LONGEST_MESSAGE_BYTES, type OperatorAnswer } from '../../journal/messages.ts';
import type { AskedQuestion } from '../../journal/state/stories-state.ts';
import { howToResume } from '../../journal/words/outcome.ts';
import { OperatorError } from '../../kit/pure/operator-error.ts';
import { truncateCodePoints } from '../../kit/pure/text.ts';
import { eventOfAnswer } from '../../runs/inbox.ts';
import { isActive, leaveMessage, untilTaken } from '../../runs/manage/leave-message.ts';
import { environment } from '../../sandbox/environment/environment.ts';
import { findRunWithQuestions, questionsOf, type RunWithQuestions } from './run-with-questions.ts';

const BY = 'ralph answer';

export interface AnswerRequest {
  readonly cwd: string;
  /** Null: the newest run with an open question. */
  readonly run: string | null;
  /** Null: the newest question. */
  readonly story: string | null;
  readonly answer: string;
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
  readonly question: AskedQuestion;
  readonly result: 'heard' | 'unheard' | 'refused' | 'kept' | 'resume';
  readonly said: readonly EventBody[];
}

/** Gives a person's answer to the newest open question. Throws when there is none. */
export async function answerQuestion(request: AnswerRequest): Promise<AnsweredQuestion> {
  const run = await findRunWithQuestions(request.cwd, request.run);
  if (run === null) throw noRunAsks();
  const { brief } = run;
  if (environment()['RALPH_RUN_ID'] === brief.run) throw answersItself(brief.run);
  const question = questionIn(run, request.story);
  const message: OperatorAnswer = { answer: request.answer, story: question.story, by: BY };
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

function questionIn(run: RunWithQuestions, story: string | null): AskedQuestion {
  const question = run.open.findLast((open) => story === null || open.story === story);
  if (run.isDone || question === undefined) throw nothingToAnswer(run, story);
  return question;
}

function refuseTooLong(message: OperatorAnswer): void {
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
  const now = (await questionsOf(brief)).find(({ story, iteration }) => story === question.story && iteration === question.iteration);
  if (now?.answer !== null) return 'heard';
  return (await isActive(brief)) ? 'refused' : 'over';
}

const SHOWN_CHARS = 100;

/** Why this run has nothing to answer, for one story if one is named. */
function nothingToAnswer({ brief: { run }, questions, open, isDone }: RunWithQuestions, story: string | null): OperatorError {
  if (isDone) return refused('run-done', `run ${run} is done and has no open questions`, 'Start a new run.');
  if (story !== null && open.length > 0) {
    const stories = [...new Set(open.map((question) => question.story))];
    return refused('no-question', `run ${run} has no open question about story ${story}`, `It asks about ${stories.join(', ')}.`);
  }
  const answered = questions.findLast((question) => story === null || question.story === story);
  if (!answered) return refused('no-question', `run ${run} has no open questions`, `See its status with: ralph runs show ${run}`);
  const answer = truncateCodePoints(answered.answer ?? '', SHOWN_CHARS, '…');
  return refused(
    'already-answered',
    `the question of run ${run} about story ${answered.story} is already answered: ${answer}`,
    `If it has stopped, continue it with: ${howToResume(run)}`,
  );
}

function noRunAsks(): OperatorError {
  return refused('run-unknown', 'no run on stories was started in this directory', 'List the runs with: ralph runs list; name one with --run.');
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
