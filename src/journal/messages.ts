import * as z from '../kit/pure/shape.ts';
import { OperatorAsked } from './events/run.ts';
import { Instruction } from './words/instruction.ts';

/** The message that this one refers to, on the same bus, and how (an ANSWER names its QUESTION). */
const BusParent = z.strictObject({ msg_id: z.string(), kind: z.string().optional(), meta: z.record(z.string(), z.string()).optional() });
const BusLink = z.strictObject({ url: z.string(), label: z.string().optional(), kind: z.string().optional() });

/** A message that is not on a bus yet. Any type is allowed; FACT, PROGRESS, DECISION, ERROR, WARNING, QUESTION, ANSWER and INFO mean something to people. */
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

/** A message as it was read. `body` is text; bytes that are not UTF-8 come as `body_base64` beside it. */
export interface BusMessage extends NewBusMessage {
  readonly msg_id: string;
  /** RFC 3339, as written. */
  readonly ts: string;
  readonly body_base64?: string;
  /** The size of the body in bytes. The body itself is left out, because it was too large for the reader. */
  readonly body_left_out?: number;
}

/** A message is one line; a longer line is not read as a message. */
export const LONGEST_MESSAGE_BYTES = 64 * 1024;

const by = z.string().min(1);

/** A request to the loop. A resume discards it. */
const OperatorMessage = z.strictObject({ ask: OperatorAsked.shape.what, by });
export type OperatorMessage = Readonly<z.infer<typeof OperatorMessage>>;

/** The answer to the newest open question, about that story if one is named. It stays valid until the run has read it. */
const OperatorAnswer = z.strictObject({ answer: z.string().min(1), story: z.string().nullable().default(null), by });
export type OperatorAnswer = Readonly<z.infer<typeof OperatorAnswer>>;

/** It stays valid until the run has read it, as an answer does. */
const InstructionMessage = z.strictObject({ instruct: Instruction, by });
export type InstructionMessage = Readonly<z.infer<typeof InstructionMessage>>;

/** What an operator may put into a run's inbox, as `<anything>.json`. */
export const InboxMessage = z.union([OperatorMessage, OperatorAnswer, InstructionMessage]);
export type InboxMessage = OperatorMessage | OperatorAnswer | InstructionMessage;
