import { truncateCodePoints } from '../../kit/pure/truncate-code-points.ts';
import { OperatorError } from '../../kit/pure/operator-error.ts';
import { howToResume } from '../../journal/words/how-to-resume.ts';
import type { AskingRun } from './asking-run.ts';

const SHOWN_CHARS = 100;

/** Why nothing that this run asks can be answered; a story narrows that down. */
export function nothingToAnswer({ brief: { run }, questions, open, isDone }: AskingRun, story: string | null): OperatorError {
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

export function noRunAsks(): OperatorError {
  return refused('run-unknown', 'no run on stories was started in this directory', 'ralph runs list shows what there is; name one with --run.');
}

export function answerTooLong(bytes: number, most: number): OperatorError {
  return refused('usage', `the answer is too long (${bytes} bytes, ${most} at most)`, 'Put it into a file of the repository, and answer with its name.');
}

/** A question is for a person: its agent would only talk to itself. */
export function answersItself(run: string): OperatorError {
  return refused('answers-itself', `run ${run} asks a person, and this is its own agent`, 'Leave the question to the people who run it.');
}

function refused(code: string, message: string, hint: string): OperatorError {
  return new OperatorError(code, message, { hint, exitCode: 2 });
}
