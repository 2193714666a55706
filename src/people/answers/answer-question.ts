import type { AskedQuestion } from '../../journal/state/stories-state.ts';
import { eventOfAnswer } from '../../runs/inbox-folder.ts';
import type { EventBody } from '../../journal/events/journal-event.ts';
import { LONGEST_MESSAGE_BYTES, type OperatorAnswer } from '../../journal/inbox-message.ts';
import { environment } from '../../sandbox/environment/environment.ts';
import { isAtWork, leaveMessage, untilTaken } from '../../runs/manage/leave-message.ts';
import { type AskingRun, askingRun, questionsOf } from './asking-run.ts';
import { answersItself, answerTooLong, noRunAsks, nothingToAnswer } from './trouble-with-answer.ts';

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
