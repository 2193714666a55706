import type { EventBody } from '../../journal/events/journal-event.ts';
import { LONGEST_MESSAGE_BYTES, type OperatorAnswer } from '../../journal/messages.ts';
import type { AskedQuestion } from '../../journal/state/stories-state.ts';
import { howToResume } from '../../journal/words/outcome.ts';
import { OperatorError } from '../../kit/pure/operator-error.ts';
import { truncateCodePoints } from '../../kit/pure/text.ts';
import { eventOfAnswer } from '../../runs/inbox.ts';
import { isAtWork, leaveMessage, untilTaken } from '../../runs/manage/leave-message.ts';
import { environment } from '../../sandbox/environment/environment.ts';
import { type AskingRun, askingRun, questionsOf } from './asking-run.ts';

const BY = 'ralph answer';

export interface AnswerWish {
  readonly cwd: string;
  /** Null: the newest that has an open question. */
  readonly run: string | null;
  /** Null: whichever asks last. */
  readonly story: string | null;
  readonly answer: string;
  /** Whether the answer to a run that is not at work is only kept for it. */
  readonly later: boolean;
  /** How long a run that is at work has time to hear it. */
  readonly timeoutMs: number;
}

/**
 * heard: it stands in the journal of a run that is at work. unheard: it lies there, and nobody has looked yet. refused: it was taken, and nothing
 * came of it. kept: it lies there until the run is resumed. resume: the run is not at work, and is to be told when it goes on.
 */
export interface AnsweredQuestion {
  readonly run: string;
  readonly question: AskedQuestion;
  readonly fate: 'heard' | 'unheard' | 'refused' | 'kept' | 'resume';
  readonly said: readonly EventBody[];
}

/** Gives a person's answer to the newest open question. Throws when there is none. */
export async function answerQuestion(wish: AnswerWish): Promise<AnsweredQuestion> {
  const asking = await askingRun(wish.cwd, wish.run);
  if (asking === null) throw noRunAsks();
  const { brief } = asking;
  if (environment()['RALPH_RUN_ID'] === brief.run) throw answersItself(brief.run);
  const question = questionIn(asking, wish.story);
  const message: OperatorAnswer = { answer: wish.answer, story: question.story, by: BY };
  refuseTooLong(message);
  const answered = { run: brief.run, question, said: [eventOfAnswer(message)] };
  if (await isAtWork(brief)) {
    const fate = await tellLoop(asking, message, { question, timeoutMs: wish.timeoutMs });
    if (fate !== 'over') return { ...answered, fate };
    // It may have stopped to ask just this, or because all is done.
    return await answerQuestion({ ...wish, run: brief.run });
  }
  if (!wish.later) return { ...answered, fate: 'resume' };
  await leaveMessage(brief, message);
  return { ...answered, fate: 'kept' };
}

function questionIn(asking: AskingRun, story: string | null): AskedQuestion {
  const question = asking.open.findLast((open) => story === null || open.story === story);
  if (asking.isDone || question === undefined) throw nothingToAnswer(asking, story);
  return question;
}

function refuseTooLong(message: OperatorAnswer): void {
  const bytes = Buffer.byteLength(JSON.stringify(message)) + 1;
  if (bytes > LONGEST_MESSAGE_BYTES) throw answerTooLong(bytes, LONGEST_MESSAGE_BYTES);
}

interface Telling {
  readonly question: AskedQuestion;
  readonly timeoutMs: number;
}

/** A loop takes away what it does not understand, too: only the journal tells what it has heard. */
async function tellLoop({ brief }: AskingRun, message: OperatorAnswer, { question, timeoutMs }: Telling): Promise<'heard' | 'unheard' | 'refused' | 'over'> {
  const fate = await untilTaken(await leaveMessage(brief, message), brief, timeoutMs);
  if (fate !== 'taken') return fate === 'waits' ? 'unheard' : 'over';
  const now = (await questionsOf(brief)).find(({ story, iteration }) => story === question.story && iteration === question.iteration);
  if (now?.answer !== null) return 'heard';
  return (await isAtWork(brief)) ? 'refused' : 'over';
}

const SHOWN_CHARS = 100;

/** Why nothing that this run asks can be answered; a story narrows that down. */
function nothingToAnswer({ brief: { run }, questions, open, isDone }: AskingRun, story: string | null): OperatorError {
  if (isDone) return refused('run-done', `run ${run} is done; it asks nothing any more`, 'Start a new run.');
  if (story !== null && open.length > 0) {
    const stories = [...new Set(open.map((question) => question.story))];
    return refused('no-question', `run ${run} has no open question about story ${story}`, `It asks about ${stories.join(', ')}.`);
  }
  const answered = questions.findLast((question) => story === null || question.story === story);
  if (!answered) return refused('no-question', `run ${run} asks nothing`, `How it stands is told by: ralph runs show ${run}`);
  const answer = truncateCodePoints(answered.answer ?? '', SHOWN_CHARS, '…');
  return refused(
    'already-answered',
    `what run ${run} asked about story ${answered.story} is answered already: ${answer}`,
    `If it has stopped, continue it with: ${howToResume(run)}`,
  );
}

function noRunAsks(): OperatorError {
  return refused('run-unknown', 'no run on stories was started in this directory', 'ralph runs list shows what there is; name one with --run.');
}

function answerTooLong(bytes: number, most: number): OperatorError {
  return refused('usage', `the answer is too long (${bytes} bytes, ${most} at most)`, 'Put it into a file of the repository, and answer with its name.');
}

/** A question is for a person: its agent would only talk to itself. */
function answersItself(run: string): OperatorError {
  return refused('answers-itself', `run ${run} asks a person, and this is its own agent`, 'Leave the question to the people who run it.');
}

function refused(code: string, message: string, hint: string): OperatorError {
  return new OperatorError(code, message, { hint, exitCode: 2 });
}
