import { isUtf8 } from 'node:buffer';
import { readFile, stat } from 'node:fs/promises';
import { buffer } from 'node:stream/consumers';
import { OperatorError } from '../model/operator-error.ts';
import type { RunSettings } from '../model/run-settings.ts';
import type { RunFlags } from './run-flags.ts';

/** Exactly one of the two, as seed 001 has it; its words for what is missing. What can be read only once (a pipe, standard input) is read now. */
export async function promptFrom({ prompt, promptFile }: Pick<RunFlags, 'prompt' | 'promptFile'>): Promise<RunSettings['prompt']> {
  if (prompt !== undefined && promptFile !== undefined) throw wrong('cannot specify both --prompt and --prompt-file', 'Leave one of them out.');
  if (prompt) return { from: 'text', text: prompt };
  if (promptFile === undefined)
    throw wrong('must specify prompt (--prompt or --prompt-file)', 'For example: ralph run -p "Make the tests pass" --agent claude');
  if (promptFile === '-') return { from: 'text', text: textOf(await buffer(process.stdin), 'the prompt on standard input') };
  const { text, canBeReadAgain } = await readPrompt(promptFile);
  return canBeReadAgain ? { from: 'file', path: promptFile } : { from: 'text', text };
}

async function readPrompt(path: string): Promise<{ readonly text: string; readonly canBeReadAgain: boolean }> {
  try {
    const found = await stat(path);
    if (found.isDirectory()) throw wrong(`prompt file is a directory: ${path}`, 'Name a file.');
    return { text: textOf(await readFile(path), `prompt file ${path}`), canBeReadAgain: found.isFile() };
  } catch (cause) {
    if (cause instanceof OperatorError) throw cause;
    const { code, message } = cause as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR')
      throw wrong(`prompt file not found: ${path}`, 'Check the path; a relative one begins in the directory you are in.');
    throw wrong(`prompt file cannot be read: ${path}: ${message}`, 'Check its permissions.');
  }
}

/** Agents read UTF-8: other bytes would reach them as something else. */
function textOf(bytes: Buffer, name: string): string {
  if (bytes.length === 0) throw wrong(`${name} is empty`, 'Say in it what the agent is to do.');
  if (!isUtf8(bytes)) throw wrong(`${name} is not UTF-8 text`, 'Convert it, for example with: iconv -t UTF-8');
  return bytes.toString('utf8');
}

function wrong(message: string, hint: string): OperatorError {
  return new OperatorError('usage', message, { hint, exitCode: 2 });
}
