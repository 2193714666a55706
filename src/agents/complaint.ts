import { openHeldFile } from '../kit/files/held-file.ts';
import { complaintIn } from '../process/complaint.ts';

const END_BYTES = 64 * 1024;

/** Why an agent failed, in its own words: what it is called by them is known already. */
export function agentsComplaint(output: string): string | null {
  return complaintIn(output)?.replace(/^(?:error|fatal)\s*:\s*/i, '') ?? null;
}

/** The last part of a file, whatever its size; nothing of what is no regular file. */
export function endOfFile(path: string): string {
  using file = openHeldFile(path);
  file.hold();
  return file.read('end', END_BYTES);
}
