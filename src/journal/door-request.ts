import * as z from 'zod';
import { NewBusMessage } from './bus-message.ts';

/** Names that become part of a path. */
const Name = z.string().regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,199}$/, 'is no name: letters, digits, dot, dash and underscore, at most 200');
const Ms = z.number().int().nonnegative().nullish().default(null);
const Word = z.string().min(1).nullish().default(null);

/** `POST /v1/jobs`: what an agent may ask for. What it leaves out is as its supervisor has it; only a command can do without a prompt. */
export const JobAsked = z.strictObject({
  /** The run that asks; without it the one that answers. */
  parent: Name.nullish().default(null),
  task: Name.nullish().default(null),
  agent: Word,
  model: Word,
  checks: z.array(z.string().min(1)).default([]),
  cwd: z.string().startsWith('/', 'must be an absolute path').nullish().default(null),
  /** How long it may be silent, and how long it may take; 0: as long as it likes. */
  idle_ms: Ms,
  run_ms: Ms,
  prompt: z.string().default(''),
});
export type JobAsked = Readonly<z.infer<typeof JobAsked>>;

/** `POST /v1/bus`: a message, and on which of the two it goes. Whose project, task and run it is need not be said. */
export const BusAsked = NewBusMessage.partial({ project_id: true }).extend({ bus: z.enum(['task', 'project']).default('task') });
export type BusAsked = Readonly<z.infer<typeof BusAsked>>;

/** `GET /v1/bus?…`. */
export const BusWanted = z.object({
  bus: z.enum(['task', 'project']).default('task'),
  tail: z.coerce.number().int().min(1).max(10_000).default(20),
  since: z.string().min(1).nullish().default(null),
});
export type BusWanted = Readonly<z.infer<typeof BusWanted>>;
