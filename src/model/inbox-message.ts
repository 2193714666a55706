import * as z from 'zod';
import { OperatorAsked } from './events/seen.ts';

/** What an operator may drop into a run's inbox, as `<anything>.json`. */
export const InboxMessage = z.strictObject({ ask: OperatorAsked.shape.what, by: z.string().min(1) });
export type InboxMessage = Readonly<z.infer<typeof InboxMessage>>;
