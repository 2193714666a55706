import * as z from 'zod';

/** What an operator may drop into a run's inbox, as `<anything>.json`. */
export const InboxMessage = z.strictObject({ ask: z.enum(['drain', 'abort']), by: z.string().min(1) });
