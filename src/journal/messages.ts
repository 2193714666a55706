import * as z from 'zod';
import { OperatorAsked } from './events/run.ts';

/** What a message refers to: another message of the same bus, and in what way (an ANSWER names its QUESTION). */
const BusParent = z.strictObject({ msg_id: z.string(), kind: z.string().optional(), meta: z.record(z.string(), z.string()).optional() });
const BusLink = z.strictObject({ url: z.string(), label: z.string().optional(), kind: z.string().optional() });

/** A message that is not on a bus yet. The type is free; FACT, PROGRESS, DECISION, ERROR, WARNING, QUESTION, ANSWER and INFO have a meaning to people. */
export const NewBusMessage = z.strictObject({
  type: z.string().regex(/^[A-Za-z][A-Za-z0-9_.-]{0,63}$/),
  project_id: z.string(),
  task_id: z.string().optional(),
  run_id: z.string().optional(),
  issue_id: z.string().optional(),
  parents: z.array(BusParent).optional(),
  links: z.array(BusLink).optional(),
  meta: z.record(z.string(), z.string()).optional(),
  body: z.string(),
});
export type NewBusMessage = Readonly<z.infer<typeof NewBusMessage>>;

/** A message as it was read. `body` is text; bytes that are no UTF-8 come as `body_base64` beside it. */
export interface BusMessage extends NewBusMessage {
  readonly msg_id: string;
  /** RFC 3339, as it was written. */
  readonly ts: string;
  readonly body_base64?: string;
  /** How many bytes its body has, which is empty here: it was too large for whoever asked. */
  readonly body_left_out?: number;
}

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

/** A message is one line; what is longer is none. */
export const LONGEST_MESSAGE_BYTES = 64 * 1024;

const by = z.string().min(1);

/** What is asked of the loop itself. Who resumes a run wants something else by now. */
const OperatorWish = z.strictObject({ ask: OperatorAsked.shape.what, by });
export type OperatorWish = Readonly<z.infer<typeof OperatorWish>>;

/** The answer to the newest open question, about that story if one is named. It stays true until the run has heard it. */
const OperatorAnswer = z.strictObject({ answer: z.string().min(1), story: z.string().nullable().default(null), by });
export type OperatorAnswer = Readonly<z.infer<typeof OperatorAnswer>>;

/** What an operator may drop into a run's inbox, as `<anything>.json`. */
export const InboxMessage = z.union([OperatorWish, OperatorAnswer]);
export type InboxMessage = OperatorWish | OperatorAnswer;
