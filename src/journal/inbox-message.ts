import * as z from 'zod';
import { OperatorAsked } from './events/seen.ts';

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
