import { join } from 'node:path';
import { Writer } from '../../journal/events/run.ts';
import { readFirstLine } from '../../kit/files/file-lines.ts';
import * as z from '../../kit/pure/shape.ts';
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
  return {
    recipe: settings.recipe,
    cwd,
    origin: origin || cwd,
    startedAtMs: at,
    writer: identityOfWriter(writer),
    gates: settings.gates.length,
    task: settings.supervise ?? null,
    worktree: settings.loop?.worktree?.path ?? null,
  };
}

/** Null for a run that never started. The first line never changes. */
export function startedIn(runFolder: string): StartedRun | null {
  const line = readFirstLine(join(runFolder, 'journal.jsonl'));
  return line === null ? null : readStarted(line);
}

export function identityOfWriter({ host, boot_id, pid, start_time }: Writer): ProcessIdentity {
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
