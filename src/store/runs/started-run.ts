import { closeSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { RunResumed, Writer } from '../../journal/events/sitting.ts';
import { readFirstLine } from '../../kit/files/file-lines.ts';
import { openRegular } from '../../kit/files/read.ts';
import * as z from '../../kit/pure/shape.ts';
import { splitLines } from '../../process/lines.ts';
import type { ProcessIdentity } from '../../process/process-request.ts';

/** The first line of a journal: only the fields that every version of Ralph has written. */
export interface StartedRun {
  readonly recipe: string;
  readonly cwd: string;
  /** The directory in which the operator started the run. */
  readonly origin: string;
  readonly startedAtMs: number;
  readonly writer: ProcessIdentity;
  readonly gates: number;
  /** Null for a run without a task folder. */
  readonly task: TaskOfRun | null;
  readonly worktree: string | null;
}

export interface TaskOfRun {
  readonly project: string;
  readonly task: string;
  readonly folder: string;
  readonly parent: string | null;
}

/** Ignores unknown fields on purpose, so that a run of a newer version still appears in lists. */
const FirstLine = z.object({
  type: z.literal('run.started'),
  at: z.number(),
  cwd: z.string(),
  origin: z.string().optional(),
  writer: Writer,
  settings: z.object({
    recipe: z.string(),
    gates: z.array(z.unknown()),
    loop: z.object({ worktree: z.object({ path: z.string() }).nullish() }).nullish(),
    supervise: z.object({ project: z.string(), task: z.string(), folder: z.string(), parent: z.string().nullable() }).nullish(),
  }),
});

/** Null if it is not the first line of a run. */
export function readStarted(line: string): StartedRun | null {
  const first = FirstLine.safeParse(parsed(line));
  if (!first.success) return null;
  const { at, cwd, origin, writer, settings } = first.data;
  const { recipe, gates, loop, supervise } = settings;
  return {
    recipe,
    cwd,
    origin: origin || cwd,
    startedAtMs: at,
    writer: identityOfWriter(writer),
    gates: gates.length,
    task: supervise ?? null,
    worktree: loop?.worktree?.path ?? null,
  };
}

/** Null for a run that never started. The first line never changes. */
export function startedIn(runFolder: string): StartedRun | null {
  const line = readFirstLine(join(runFolder, 'journal.jsonl'));
  return line === null ? null : readStarted(line);
}

function identityOfWriter({ host, boot_id, pid, start_time }: Writer): ProcessIdentity {
  return { host, bootId: boot_id, pid, startTime: start_time };
}

/** Null if it is not JSON. */
export function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return null;
  }
}

const chunkBytes = 1024 * 1024;
const mostBytes = 256 * 1024 * 1024;
/** A resume event is a short line; longer lines are skipped. */
const longestResumeBytes = 16 * 1024;

const Resumed = RunResumed.pick({ type: true, writer: true }).loose();

/** The process that resumed the run last; null if none did, or if that is too far back in the journal. */
export function lastWriterIn(journal: string): ProcessIdentity | null {
  const fd = openRegular(journal);
  if (fd === null) return null;
  let last: ProcessIdentity | null = null;
  const lines = splitLines(longestResumeBytes, (line) => {
    if (!line.includes('"run.resumed"')) return;
    const resumed = Resumed.safeParse(parsed(line));
    if (resumed.success) last = identityOfWriter(resumed.data.writer);
  });
  try {
    const chunk = Buffer.allocUnsafe(chunkBytes);
    for (let at = 0; at < mostBytes; ) {
      const length = readSync(fd, chunk, 0, chunkBytes, at);
      if (length === 0) break;
      lines.push(chunk.subarray(0, length));
      at += length;
    }
    return last;
  } finally {
    closeSync(fd);
  }
}
