import type { AgentErrorKind } from '../journal/words/agent-event.ts';
import { openHeldFile } from '../kit/files/write.ts';
import { errorLineIn } from '../process/error-line.ts';

const END_BYTES = 64 * 1024;

/** Why an agent failed, in its own words, without its name in front. */
export function errorMessageIn(output: string): string | null {
  return errorLineIn(output)?.replace(/^(?:error|fatal)\s*:\s*/i, '') ?? null;
}

/** The last part of a file, whatever its size; empty for anything but a regular file. */
export function endOfFile(path: string): string {
  using file = openHeldFile(path);
  file.hold();
  return file.read('end', END_BYTES);
}

/** What an HTTP status of a model's API means for the loop. */
export function kindOfStatus(status: number | null): AgentErrorKind {
  if (status === 401 || status === 403) return 'auth';
  if (status === 402) return 'billing';
  if (status === 404) return 'model';
  if (status === 429) return 'limit';
  return status === 408 || (status !== null && status >= 500) ? 'transient' : 'other';
}
