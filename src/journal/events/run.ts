import * as z from 'zod';
import { Outcome } from '../words/outcome.ts';
import { RunSettings } from '../../settings/schema/run-settings.ts';

/** The process that writes this journal. */
export const Writer = z.strictObject({ host: z.string(), boot_id: z.string(), pid: z.number().int(), start_time: z.string() });
export type Writer = Readonly<z.infer<typeof Writer>>;

/** The workspace as the run found it. What was dirty then is never counted as an agent's work. */
const Found = z.strictObject({
  head: z.string().nullable(),
  /** Null when git could not name it; the problem says why, or what had to be left out. */
  tree: z.string().nullable(),
  problem: z.string().nullable(),
  dirty: z.array(z.string()),
  dirty_count: z.number().int(),
});

export const RunStarted = z.strictObject({
  type: z.literal('run.started'),
  run: z.string(),
  ralph: z.string(),
  cwd: z.string(),
  /** Where the operator was when a run in a worktree of its own was started; else the same. */
  origin: z.string().default(''),
  settings: RunSettings,
  /** The settings files that were there. */
  sources: z.array(z.string()).default([]),
  /** Null when the workspace is no git repository. */
  found: Found.nullable(),
  writer: Writer,
});

export const RunResumed = z.strictObject({
  type: z.literal('run.resumed'),
  ralph: z.string(),
  writer: Writer,
  /** Epoch ms at which a loop that died was last seen at work: its agent printed something after its last event. Absent: nothing tells. */
  worked_until: z.number().optional(),
});

export const RunStopped = z.strictObject({ type: z.literal('run.stopped'), outcome: Outcome });
