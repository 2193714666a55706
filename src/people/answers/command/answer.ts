import { surroundings } from '../../../process/surroundings.ts';
import type { EventBody } from '../../../journal/events/journal-event.ts';
import { type AnsweredQuestion, answerQuestion } from '../answer-question.ts';
import { askingRun } from '../asking-run.ts';
import { resumeRun } from '../../../runs/resume-run.ts';
import { answerLines } from './answer-lines.ts';
import { answerText } from './answer-text.ts';
import { questionJson, questionLines } from './question-lines.ts';
import { currentDirectory } from '../../../cli/shared/current-directory.ts';
import { aroundRun } from '../../../cli/shared/around-run.ts';
import { withFatalResult } from '../../../cli/shared/fatal-result.ts';

/** A loop looks into its inbox every half second; one on a loaded machine later. */
const HEARING_MS = 20_000;

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
  const answered = await answerQuestion({ cwd: currentDirectory(), run, story, answer, later, timeoutMs: HEARING_MS });
  if (answered.fate !== 'resume') return tellAnswer(answered, flags);
  return await (flags.json ? withFatalResult((onStarted) => goOn(answered, flags, onStarted)) : goOn(answered, flags, () => undefined));
}

/** 1 when nothing is asked, so that a script can tell. */
async function showQuestions({ run, story, json }: AnswerFlags): Promise<number> {
  const found = await askingRun(currentDirectory(), run ?? null);
  const open = found === null || found.isDone ? [] : found.open.filter((question) => story === undefined || question.story === story);
  const object = { run_id: found?.brief.run ?? null, questions: [...open].reverse().map(questionJson) };
  const lines = found === null || open.length === 0 ? ['Nothing is asked here.'] : questionLines({ ...found, open });
  print(json ? [JSON.stringify(object)] : lines);
  return open.length === 0 ? 1 : 0;
}

function tellAnswer(answered: AnsweredQuestion, { json }: AnswerFlags): number {
  const { run, question, fate } = answered;
  print(json ? [JSON.stringify({ run_id: run, ...questionJson(question), answer: fate })] : answerLines(answered));
  return fate === 'heard' || fate === 'kept' ? 0 : 1;
}

async function goOn(
  { run, said }: { readonly run: string; readonly said: readonly EventBody[] },
  flags: AnswerFlags,
  onStarted: (runFolder: string) => void,
): Promise<number> {
  const { outcome, view, runFolder } = await resumeRun({ ...aroundRun(flags, onStarted), run, said });
  if (flags.json) print([JSON.stringify({ ...view, run_folder: runFolder })]);
  return outcome.exit_code;
}

function print(lines: readonly string[]): void {
  surroundings().stdout.write(lines.map((line) => `${line}\n`).join(''));
}
