import { currentDirectory } from '../../../cli/shared/flags.ts';
import { withFatalResult } from '../../../cli/shared/print-error.ts';
import { terminalRunOptions } from '../../../cli/shared/terminal-run-options.ts';
import { textOfWords } from '../../../cli/shared/text-of-words.ts';
import type { AskedQuestion } from '../../../journal/state/questions.ts';
import { QUESTION_WORDS } from '../../../journal/words/claim.ts';
import { howToResume, type Outcome } from '../../../journal/words/outcome.ts';
import { oneLine, printable } from '../../../kit/pure/text.ts';
import { io, whoIsThere } from '../../../process/io.ts';
import { SPENT } from '../../../report/run-report/next-commands.ts';
import { resumeRun } from '../../../runs/resume-run.ts';
import { type AnsweredQuestion, answerQuestion, findRunWithQuestions, type RunWithQuestions } from '../answer-question.ts';

/** A loop reads its inbox every half second; on a loaded machine it takes longer. */
const READ_TIMEOUT_MS = 20_000;

interface AnswerFlags {
  readonly run?: string;
  readonly task?: string;
  readonly story?: string;
  readonly later?: boolean;
  readonly json?: boolean;
  readonly quiet?: boolean;
  readonly verbose?: boolean;
}

export async function answerCommand(words: readonly string[], flags: AnswerFlags): Promise<number> {
  if (words.length === 0) return await showQuestions(flags);
  const answer = await textOfWords(words, 'answer');
  const { run = null, later = false } = flags;
  const about = { run, task: taskIn(flags), later };
  const answered = await answerQuestion({ cwd: currentDirectory(), ...about, answer, by: whoIsThere(), timeoutMs: READ_TIMEOUT_MS });
  if (answered.result !== 'resume') return printAnswer(answered, flags);
  return await (flags.json ? withFatalResult((onStarted) => resumeWithAnswer(answered, flags, onStarted)) : resumeWithAnswer(answered, flags, () => undefined));
}

/** `--story` is the older name of `--task`. */
const taskIn = ({ task, story }: AnswerFlags): string | null => task ?? story ?? null;

/** Exit code 1 when there is no open question, for scripts. */
async function showQuestions(flags: AnswerFlags): Promise<number> {
  const { run = null, json } = flags;
  const task = taskIn(flags);
  const found = await findRunWithQuestions(currentDirectory(), run, task);
  const open = found === null || found.isDone ? [] : found.open.filter((question) => task === null || question.task === task);
  const object = { run_id: found?.brief.run ?? null, questions: [...open].reverse().map(questionJson) };
  const lines = found === null || open.length === 0 ? ['There are no open questions.'] : questionLines({ ...found, open });
  print(json ? [JSON.stringify(object)] : lines);
  return open.length === 0 ? 1 : 0;
}

function printAnswer(answered: AnsweredQuestion, { json }: AnswerFlags): number {
  const { run, question, result } = answered;
  print(json ? [JSON.stringify({ run_id: run, ...questionJson(question), answer: result })] : answerLines(answered));
  return result === 'heard' || result === 'kept' ? 0 : 1;
}

async function resumeWithAnswer({ run, said, question }: AnsweredQuestion, flags: AnswerFlags, onStarted: (runFolder: string) => void): Promise<number> {
  const { outcome, view, runFolder } = await resumeRun({ ...terminalRunOptions(flags, onStarted), run, said });
  print(flags.json ? [JSON.stringify({ ...view, run_folder: runFolder })] : spentLines(question, outcome, run));
  return outcome.exit_code;
}

/** What a run that is at its limit does not do with the words for a task of its plan: they wait for the next run. */
export function spentLines(question: AnsweredQuestion['question'], { stop_reason }: Outcome, run: string): readonly string[] {
  if (!('command' in question) || !SPENT.has(stop_reason)) return [];
  return [`Run ${run} is at its limit. Your words for ${oneLine(question.task)} are kept; start another run with: ralph work`];
}

function print(lines: readonly string[]): void {
  io().stdout.write(lines.map((line) => `${line}\n`).join(''));
}

const RESULT_TEXT: Readonly<Record<Exclude<AnsweredQuestion['result'], 'resume'>, (run: string) => string>> = {
  heard: () => 'has received it and goes on.',
  unheard: () => 'has not read it yet; the answer is in its inbox.',
  refused: () => 'was started by a ralph version that cannot take answers.',
  kept: (run) => `reads it when it is resumed. Continue it with: ${howToResume(run)}`,
};

/** What happened to an answer, for people. */
export function answerLines({ run, question, result }: AnsweredQuestion): readonly string[] {
  if (result === 'resume') return [];
  const about = question.task === null ? 'The question' : oneLine(question.task);
  const what = `${result === 'refused' ? 'not ' : ''}${'command' in question ? 'tried again' : 'answered'}`;
  return [`${about} is ${what}: run ${run} ${RESULT_TEXT[result](run)}`];
}

/** The open questions of a run, newest first: that one is answered first. */
export function questionLines({ brief: { run }, open }: RunWithQuestions): readonly string[] {
  const newestFirst = [...open].reverse();
  return [...newestFirst.flatMap((question) => oneQuestion(run, question)), ...howToAnswer(newestFirst)];
}

function oneQuestion(run: string, { kind, task, iteration, text }: AskedQuestion): readonly string[] {
  const what = `${task === null ? 'the agent' : printable(task)} ${QUESTION_WORDS[kind]}`;
  return [`Run ${run}, iteration ${iteration}: ${what}:`, ...text.split('\n').map((line) => `  ${printable(line)}`.trimEnd())];
}

function howToAnswer([newest, ...older]: readonly AskedQuestion[]): readonly string[] {
  if (newest === undefined) return [];
  return [older.length === 0 ? 'Answer it with: ralph answer "…"' : 'Answer the first of them with: ralph answer "…"; another with: --task <id>'];
}

export function questionJson({ task, kind, text, iteration }: AnsweredQuestion['question']) {
  return { story: task, task, kind, question: text, iteration };
}
