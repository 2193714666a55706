import type { QuestionAnswered, QuestionAsked } from '../events/run.ts';
import type { AskedQuestion } from '../state/questions.ts';
import type { RunState } from '../state/state.ts';
import { withIteration } from './iterations.ts';

const MOST_QUESTIONS = 50;

export function evolvedQuestions(state: RunState, body: QuestionAsked | QuestionAnswered, atMs: number): RunState {
  return body.type === 'question.asked' ? afterQuestion(state, body, atMs) : afterAnswer(state, body, atMs);
}

function afterQuestion(state: RunState, { iteration, story: task, question, by, msg_id }: QuestionAsked, atMs: number): RunState {
  const how = { ...(by !== undefined && { by }), ...(msg_id !== undefined && { message: msg_id }) };
  const asked = { ...question, task, iteration, askedAtMs: atMs, ...how, answer: null };
  const questions = [...state.questions, asked].slice(-MOST_QUESTIONS);
  return withIteration({ ...state, questions }, iteration, (open) => ({ ...open, hasAsked: true }));
}

function afterAnswer(state: RunState, { story, answer, by }: QuestionAnswered, atMs: number): RunState {
  const at = state.questions.findLastIndex((question) => question.answer === null && (story === null || question.task === story));
  return withQuestions(state, (question, index) => (index === at ? { ...question, answer, answered: { by, atMs } } : question));
}

export function withQuestions(state: RunState, change: (question: AskedQuestion, index: number) => AskedQuestion): RunState {
  return { ...state, questions: state.questions.map(change) };
}
