import { readText } from '../../kit/files/read-text.ts';

/** A file of the operator's that the prompt needs cannot be read. */
export interface UnreadablePrompt {
  readonly path: string;
  readonly reason: string;
}

/** Read again for every attempt, so that an operator can steer a running loop by editing it. */
export async function readPromptFile(path: string): Promise<string | UnreadablePrompt> {
  const read = await readText(path, 'refuse pipes');
  return read.kind === 'text' ? read.text : { path, reason: read.reason };
}
