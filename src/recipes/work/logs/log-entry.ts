import { join } from 'node:path';
import { readRegular } from '../../../kit/files/read.ts';
import * as z from '../../../kit/pure/shape.ts';
import { workTreeAt } from '../../../plans/tasks/work-tree.ts';
import { runsFolders } from '../../../runs/manage/runs-folders.ts';
import { environment } from '../../../sandbox/environment/environment.ts';
import { listRuns, startIn } from '../../../store/run-home.ts';

/** Loose on purpose: reads the log of another tool with the same fields, or of a newer version, as far as possible (seed 000). */
const LogEntry = z.looseObject({
  timestamp: z.string(),
  iteration: z.number(),
  action: z.string(),
  outcome: z.string(),
});
export type LogEntry = Readonly<z.infer<typeof LogEntry>>;

/** Null for a line that is not an entry: somebody may have torn or edited it. */
export function logEntryOf(line: string): LogEntry | null {
  try {
    // With its original fields in their order.
    const value: unknown = JSON.parse(line);
    return LogEntry.safeParse(value).success ? (value as LogEntry) : null;
  } catch {
    return null;
  }
}

/** The log folder of `ralph work`: of its newest run in this directory, else its newest run in the repository, else `logs/` at the top. */
export async function logsFolder(cwd: string): Promise<string> {
  let ofAnother: string | null = null;
  for (const runsFolder of await runsFolders(cwd)) {
    for (const run of await listRuns(runsFolder)) {
      const start = await startIn(join(runsFolder, run));
      const logs = start && logsIn(start.line);
      if (!start || logs === null) continue;
      if (start.origin === cwd) return logs;
      ofAnother ??= logs;
    }
  }
  return ofAnother ?? join((await workTreeAt({ cwd, env: environment() })).top, 'logs');
}

/** Null for every run that is not on a plan. */
function logsIn(line: Readonly<Record<string, unknown>>): string | null {
  const { work } = (line['settings'] ?? {}) as { readonly work?: { readonly logs?: unknown } | null };
  return typeof work?.logs === 'string' ? work.logs : null;
}

export interface Heartbeat {
  readonly file: string;
  /** As written in the file; null when it cannot be read. */
  readonly at: string | null;
  readonly age_ms: number | null;
}

/** The last sign of life of a loop that logs there (seed 000). */
export function readHeartbeat(folder: string, nowMs: number): Heartbeat {
  const file = join(folder, 'ralph.heartbeat');
  const at = readRegular(file)?.slice(0, 64).trim() ?? '';
  const atMs = Date.parse(at);
  return Number.isNaN(atMs) ? { file, at: null, age_ms: null } : { file, at, age_ms: Math.max(0, nowMs - atMs) };
}

/** A missing heartbeat is as bad as an old one. */
export function isStale({ age_ms }: Heartbeat, afterMs: number): boolean {
  return age_ms === null || age_ms > afterMs;
}
