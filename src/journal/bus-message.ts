import * as z from 'zod';

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
