import * as z from '../kit/pure/shape.ts';
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
