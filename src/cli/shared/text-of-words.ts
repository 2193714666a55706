import { buffer } from 'node:stream/consumers';
import { textOf } from '../../kit/files/read-text.ts';
import { OperatorError } from '../../kit/pure/operator-error.ts';
import { io } from '../../process/io.ts';

/** A text from the words of a command line, or from standard input for `-`. It is refused when it is empty. */
export async function textOfWords(words: readonly string[], what: 'answer' | 'question'): Promise<string> {
  const text = words.length === 1 && words[0] === '-' ? await standardInput(what) : words.join(' ');
  if (text.trim() !== '') return text.trim();
  const command = { answer: 'Say what the run has to know: ralph answer "…"', question: 'Say what you have to know: ralph ask "…"' };
  throw new OperatorError('usage', `the ${what} is empty`, { hint: command[what], exitCode: 2 });
}

async function standardInput(what: string): Promise<string> {
  const read = textOf(await buffer(io().stdin), false);
  if (read.kind === 'text') return read.text;
  if (read.why === 'empty') return '';
  const hint = 'Convert it, for example with: iconv -t UTF-8';
  throw new OperatorError('usage', `the ${what} on standard input is not UTF-8 text`, { hint, exitCode: 2 });
}
