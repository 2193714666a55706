import * as z from 'zod';

/** What an agent process is started for. Only the work can claim to be done, and only it can end a run that nothing can help. */
export const AttemptRole = z.enum(['work', 'review', 'message', 'resolve']);
export type AttemptRole = z.infer<typeof AttemptRole>;
