import type { AnsweredQuestion, Question } from '../words/claim.ts';

/** A question to a person, and its answer. */
export interface AskedQuestion extends Question {
  /** The story or the task of a plan that it is about; null: the run as a whole. */
  readonly task: string | null;
  readonly iteration: number;
  readonly askedAtMs: number;
  /** How it came; absent: the agent ended with it. */
  readonly by?: string;
  /** The message on the bus with the same question. */
  readonly message?: string;
  /** Null: it is open. */
  readonly answer: string | null;
  readonly answered?: { readonly by: string; readonly atMs: number };
  /** The number of the task's register that parks the task until the answer; absent: it is not parked by a register. */
  readonly parkedAs?: number;
  /** Whether the answer is where it has to go besides the prompt: in the task's register, or on the bus. */
  readonly isPassedOn?: true;
}

type Asked = { readonly questions: readonly AskedQuestion[] };

/** Those that wait for an answer, oldest first. */
export function openQuestions({ questions }: Asked): readonly AskedQuestion[] {
  return questions.filter(({ answer }) => answer === null);
}

/** What the next agent on that story or task is told; null: on the run as a whole. */
export function answersAbout(about: string | null, { questions }: Asked): readonly AnsweredQuestion[] {
  return questions.flatMap(({ task, text, answer }) => (task === about && answer !== null ? [{ question: text, answer }] : []));
}

/** The key of the effect that posts the answer on a bus. */
export function answerKey({ iteration, askedAtMs }: AskedQuestion): string {
  return `post:answer:${iteration}.${askedAtMs}`;
}
