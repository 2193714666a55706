import * as z from 'zod';

// The requests that an agent may send to the door. zod's messages tell it what is wrong.

/** Names that become part of a path. */
const Name = z.string().regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,199}$/, 'is not a valid name: use letters, digits, dot, dash and underscore, at most 200');
const Ms = z.number().int().nonnegative().nullish().default(null);
const Word = z.string().min(1).nullish().default(null);

/** `POST /v1/jobs`. Missing fields are as its supervisor has them. The prompt may be missing only when there is a command. */
export const JobRequest = z.strictObject({
  /** The run that asks; by default the one that answers. */
  parent: Name.nullish().default(null),
  task: Name.nullish().default(null),
  agent: Word,
  model: Word,
  checks: z.array(z.string().min(1)).default([]),
  cwd: z.string().startsWith('/', 'must be an absolute path').nullish().default(null),
  /** The longest time without output, and the longest time in all; 0: no limit. */
  idle_ms: Ms,
  run_ms: Ms,
  prompt: z.string().default(''),
});
export type JobRequest = Readonly<z.infer<typeof JobRequest>>;

const BusParent = z.strictObject({ msg_id: z.string(), kind: z.string().optional(), meta: z.record(z.string(), z.string()).optional() });
const BusLink = z.strictObject({ url: z.string(), label: z.string().optional(), kind: z.string().optional() });

/** `POST /v1/bus`: a message, and on which of the two buses it goes. Project, task and run are filled in. */
export const BusPostRequest = z.strictObject({
  type: z.string().regex(/^[A-Za-z][A-Za-z0-9_.-]{0,63}$/),
  project_id: z.string().optional(),
  task_id: z.string().optional(),
  run_id: z.string().optional(),
  issue_id: z.string().optional(),
  parents: z.array(BusParent).optional(),
  links: z.array(BusLink).optional(),
  meta: z.record(z.string(), z.string()).optional(),
  body: z.string(),
  bus: z.enum(['task', 'project']).default('task'),
});
export type BusPostRequest = Readonly<z.infer<typeof BusPostRequest>>;

/** `GET /v1/bus?…`. */
export const BusReadRequest = z.object({
  bus: z.enum(['task', 'project']).default('task'),
  tail: z.coerce.number().int().min(1).max(10_000).default(20),
  since: z.string().min(1).nullish().default(null),
});
export type BusReadRequest = Readonly<z.infer<typeof BusReadRequest>>;

/** `POST /v1/tasks/<id>/complete`: the fencing number of the hold, and who says so. */
export const CompletionRequest = z.strictObject({ n: z.number().int().positive(), by: z.string() });
export type CompletionRequest = Readonly<z.infer<typeof CompletionRequest>>;
