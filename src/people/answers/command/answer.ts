import { buffer } from 'node:stream/consumers';
import { currentDirectory } from '../../../cli/shared/flags.ts';
import { withFatalResult } from '../../../cli/shared/print-error.ts';
import { terminalRunOptions } from '../../../cli/shared/terminal-run-options.ts';
import type { EventBody } from '../../../journal/events/journal-event.ts';
import type { AskedQuestion } from '../../../journal/state/stories-state.ts';
import { howToResume } from '../../../journal/words/outcome.ts';
import { QUESTION_WORDS } from '../../../journal/words/story.ts';
import { textOf } from '../../../kit/files/read-text.ts';
import { OperatorError } from '../../../kit/pure/operator-error.ts';
import { oneLine, printable } from '../../../kit/pure/text.ts';
import { io } from '../../../process/io.ts';
import { resumeRun } from '../../../runs/resume-run.ts';
import { type AnsweredQuestion, answerQuestion } from '../answer-question.ts';
import { findRunWithQuestions, type RunWithQuestions } from '../run-with-questions.ts';

/** A loop reads its inbox every half second; on a loaded machine it takes longer. */
const READ_TIMEOUT_MS = 20_000;

interface AnswerFlags {
  readonly run?: string;
  readonly story?: string;
  readonly later?: boolean;
  readonly json?: boolean;
  readonly quiet?: boolean;
  readonly verbose?: boolean;
}

export async function answerCommand(words: readonly string[], flags: AnswerFlags): Promise<number> {
  const answer = await answerText(words);
  if (answer === null) return await showQuestions(flags);
  const { run = null, story = null, later = false } = flags;
  const answered = await answerQuestion({ cwd: currentDirectory(), run, story, answer, later, timeoutMs: READ_TIMEOUT_MS });
  if (answered.result !== 'resume') return printAnswer(answered, flags);
  return await (flags.json ? withFatalResult((onStarted) => resumeWithAnswer(answered, flags, onStarted)) : resumeWithAnswer(answered, flags, () => undefined));
}

/** Exit code 1 when there is no open question, for scripts. */
async function showQuestions({ run, story, json }: AnswerFlags): Promise<number> {
  const found = await findRunWithQuestions(currentDirectory(), run ?? null);
  const open = found === null || found.isDone ? [] : found.open.filter((question) => story === undefined || question.story === story);
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

async function resumeWithAnswer(
  { run, said }: { readonly run: string; readonly said: readonly EventBody[] },
  flags: AnswerFlags,
  onStarted: (runFolder: string) => void,
): Promise<number> {
  const { outcome, view, runFolder } = await resumeRun({ ...terminalRunOptions(flags, onStarted), run, said });
  if (flags.json) print([JSON.stringify({ ...view, run_folder: runFolder })]);
  return outcome.exit_code;
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
  return [`Story ${oneLine(question.story)} is answered: run ${run} ${RESULT_TEXT[result](run)}`];
}

/** The answer from the command line, or from standard input for `-`; null when there is none. */
export async function answerText(words: readonly string[]): Promise<string | null> {
  if (words.length === 0) return null;
  const text = words.length === 1 && words[0] === '-' ? await standardInput() : words.join(' ');
  if (text.trim() === '') throw badAnswer('the answer is empty', 'Say what the run has to know: ralph answer "…"');
  return text.trim();
}

async function standardInput(): Promise<string> {
  const read = textOf(await buffer(io().stdin), false);
  if (read.kind === 'text') return read.text;
  if (read.why === 'empty') return '';
  throw badAnswer('the answer on standard input is not UTF-8 text', 'Convert it, for example with: iconv -t UTF-8');
}

function badAnswer(message: string, hint: string): OperatorError {
  return new OperatorError('usage', message, { hint, exitCode: 2 });
}

/** The open questions of a run, newest first: that one is answered first. */
export function questionLines({ brief: { run }, open }: RunWithQuestions): readonly string[] {
  const newestFirst = [...open].reverse();
  return [...newestFirst.flatMap((question) => oneQuestion(run, question)), ...howToAnswer(newestFirst)];
}

function oneQuestion(run: string, { kind, story, iteration, text }: AskedQuestion): readonly string[] {
  const what = QUESTION_WORDS[kind];
  return [`Run ${run}, iteration ${iteration}: story ${printable(story)} ${what}:`, ...text.split('\n').map((line) => `  ${printable(line)}`.trimEnd())];
}

function howToAnswer([newest, ...older]: readonly AskedQuestion[]): readonly string[] {
  if (newest === undefined) return [];
  return [older.length === 0 ? 'Answer it with: ralph answer "…"' : 'Answer the first of them with: ralph answer "…"; another with: --story <id>'];
}

export function questionJson({ story, kind, text, iteration }: AskedQuestion) {
  return { story, kind, question: text, iteration };
}
