import { join } from 'node:path';
import * as z from 'zod';
import { readFirstLine } from '../../../kit/files/first-line.ts';
import type { ProcessIdentity } from '../../../process/process-ending.ts';
import { RunStarted } from '../../../journal/events/run.ts';

const FirstLine = z.object({ run: RunStarted.shape.run, type: RunStarted.shape.type, writer: RunStarted.shape.writer });

/** The process that opened the journal in that folder for that run; null while there is no whole first line. Agents write there too: no pipe is waited for. */
export function registeredChild(runFolder: string, run: string): ProcessIdentity | null {
  try {
    const line = FirstLine.parse(JSON.parse(readFirstLine(join(runFolder, 'journal.jsonl')) ?? ''));
    if (line.run !== run) return null;
    const { host, boot_id, pid, start_time } = line.writer;
    return { host, bootId: boot_id, pid, startTime: start_time };
  } catch {
    return null;
  }
}
