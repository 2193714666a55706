import { resolve } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { readText, type TextRead, textOf } from '../../kit/files/read-text.ts';
import { surroundings } from '../../process/surroundings.ts';
import { OperatorError } from '../../kit/pure/operator-error.ts';
import type { RunSettings } from '../../settings/schema/run-settings.ts';
import { currentDirectory } from './current-directory.ts';
import type { RunFlags } from './run-flags.ts';

/** Exactly one of the two, as seed 001 has it; its words for what is missing. What can be read only once (a pipe, standard input) is read now. */
export async function promptFrom({ prompt, promptFile }: Pick<RunFlags, 'prompt' | 'promptFile'>): Promise<RunSettings['prompt']> {
  if (prompt !== undefined && promptFile !== undefined) throw wrong('cannot specify both --prompt and --prompt-file', 'Leave one of them out.');
  if (prompt) return { from: 'text', text: prompt };
  if (promptFile === undefined)
    throw wrong('must specify prompt (--prompt or --prompt-file)', 'For example: ralph run -p "Make the tests pass" --agent claude');
  const read =
    promptFile === '-'
      ? textOf(await buffer(surroundings().stdin), false)
      : await readText(promptFile && resolve(currentDirectory(), promptFile), 'read pipes');
  if (read.kind === 'no-text') throw whyNot(read, promptFile);
  return read.isRegular ? { from: 'file', path: promptFile } : { from: 'text', text: read.text };
}

function whyNot({ why, reason }: Extract<TextRead, { kind: 'no-text' }>, path: string): OperatorError {
  const name = path === '-' ? 'the prompt on standard input' : `prompt file ${path}`;
  switch (why) {
    case 'missing':
      return wrong(`prompt file not found: ${path}`, 'Check the path; a relative one begins in the directory you are in.');
    case 'directory':
      return wrong(`prompt file is a directory: ${path}`, 'Name a file.');
    case 'empty':
      return wrong(`${name} is empty`, 'Say in it what the agent is to do.');
    case 'not-utf-8':
      // Agents read UTF-8: other bytes would reach them as something else.
      return wrong(`${name} is not UTF-8 text`, 'Convert it, for example with: iconv -t UTF-8');
    case 'not-regular':
    case 'refused':
      return wrong(`prompt file cannot be read: ${path}: ${reason}`, 'Check its permissions.');
  }
}

function wrong(message: string, hint: string): OperatorError {
  return new OperatorError('usage', message, { hint, exitCode: 2 });
}
