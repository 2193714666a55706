import * as z from 'zod';

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
  what: z.enum(['network', 'write', 'planted']),
  /** `host:port` of the network; the complaint about a write as the agent's output has it; the path of what was planted and put back. */
  target: z.string(),
});
