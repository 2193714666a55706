import type { AskAnswer, RunAsk } from '../manage/ask-run.ts';
import { howToResume } from '../../journal/words/how-to-resume.ts';

const HEARD: Readonly<Record<RunAsk, (run: string) => string>> = {
  pause: (run) => `is paused: what has begun goes on to its end, nothing new starts. Continue it with: ${howToResume(run)}`,
  drain: () => 'finishes what has begun, and then stops.',
  'go-on': () => 'goes on.',
};

export function askLines(run: string, ask: RunAsk, answer: AskAnswer): readonly string[] {
  if (answer === 'heard') return [`Run ${run} ${HEARD[ask](run)}`];
  if (answer === 'over') return [`Run ${run} ended before it could hear that.`];
  if (answer === 'refused') return [`Run ${run} was started by a ralph that cannot do that.`];
  return [`Run ${run} has not heard it yet; the message waits in its inbox.`];
}
