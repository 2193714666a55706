import type { AskedQuestion } from '../../../journal/state/stories-state.ts';
import { printable } from '../../../kit/pure/printable.ts';
import type { AskingRun } from '../asking-run.ts';

/** What a run asks, the newest first: that one is answered first. */
export function questionLines({ brief: { run }, open }: AskingRun): readonly string[] {
  const newestFirst = [...open].reverse();
  return [...newestFirst.flatMap((question) => oneQuestion(run, question)), ...howToAnswer(newestFirst)];
}

function oneQuestion(run: string, { kind, story, iteration, text }: AskedQuestion): readonly string[] {
  const what = kind === 'blocked' ? 'is blocked' : 'needs a decision';
  return [`Run ${run}, iteration ${iteration}: story ${printable(story)} ${what}:`, ...text.split('\n').map((line) => `  ${printable(line)}`.trimEnd())];
}

function howToAnswer([newest, ...older]: readonly AskedQuestion[]): readonly string[] {
  if (newest === undefined) return [];
  return [older.length === 0 ? 'Answer it with: ralph answer "…"' : 'Answer the first of them with: ralph answer "…"; another with: --story <id>'];
}

export function questionJson({ story, kind, text, iteration }: AskedQuestion) {
  return { story, kind, question: text, iteration };
}
