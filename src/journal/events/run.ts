import * as z from '../../kit/pure/shape.ts';
import { RunSettings } from '../../settings/schema/run-settings.ts';
import { Claim } from '../words/claim.ts';
import { Outcome } from '../words/outcome.ts';

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

export const IterationOpened = z.strictObject({
  type: z.literal('iteration.opened'),
  iteration: z.number().int().positive(),
  lane: z.number().int().positive(),
});

/** green: the agent ended well and every gate is green. red: a gate or a demand is not met. failed: the agent came to nothing. abandoned: we left before its end. */
export const IterationResult = z.enum(['green', 'red', 'failed', 'abandoned']);
export type IterationResult = z.infer<typeof IterationResult>;

export const IterationClosed = z.strictObject({
  type: z.literal('iteration.closed'),
  iteration: z.number().int().positive(),
  result: IterationResult,
  /** The claim made in this iteration, and whether it was accepted: claimed, proven, and changed where that is asked for. */
  claim: Claim.nullable(),
  accepted: z.boolean(),
  zero_work: z.boolean(),
});

/** The operator wants something. drain: finish what runs, start nothing. abort: end what runs. pause: start nothing until told to go on. */
export const OperatorAsked = z.strictObject({
  type: z.literal('operator.asked'),
  what: z.enum(['drain', 'abort', 'pause', 'go-on']),
  /** SIGINT, SIGTERM, the name of a message, or `caller` for a library's AbortSignal. */
  by: z.string(),
});

/** Settings files were changed while the run goes on; it keeps what it was started with. */
export const SettingsSeen = z.strictObject({ type: z.literal('settings.seen'), files: z.array(z.string()) });

/** The specification was changed while the run goes on. */
export const SpecSeen = z.strictObject({ type: z.literal('spec.seen'), path: z.string(), obeyed: z.boolean() });

/** A usage limit was announced while an attempt still ran. */
export const LimitSeen = z.strictObject({
  type: z.literal('limit.seen'),
  attempt: z.string(),
  resets_at: z.number().nullable(),
  window: z.string().nullable(),
});

/** The wall let something not through. Told once for each target. */
export const WallRefused = z.strictObject({
  type: z.literal('wall.refused'),
  what: z.enum(['network', 'write', 'planted', 'history']),
  /** `host:port` of the network; the complaint about a write as the agent's output has it; the path of what was planted and put back. */
  target: z.string(),
});
