import { buffer } from 'node:stream/consumers';
import { textOf } from '../../../kit/files/read-text.ts';
import { surroundings } from '../../../process/surroundings.ts';
import { OperatorError } from '../../../kit/pure/operator-error.ts';

/** What was said on the command line, `-` being standard input; null when nothing was. */
export async function answerText(words: readonly string[]): Promise<string | null> {
  if (words.length === 0) return null;
  const text = words.length === 1 && words[0] === '-' ? await standardInput() : words.join(' ');
  if (text.trim() === '') throw wrong('the answer is empty', 'Say what the run has to know: ralph answer "…"');
  return text.trim();
}

async function standardInput(): Promise<string> {
  const read = textOf(await buffer(surroundings().stdin), false);
  if (read.kind === 'text') return read.text;
  if (read.why === 'empty') return '';
  throw wrong('the answer on standard input is not UTF-8 text', 'Convert it, for example with: iconv -t UTF-8');
}

function wrong(message: string, hint: string): OperatorError {
  return new OperatorError('usage', message, { hint, exitCode: 2 });
}
