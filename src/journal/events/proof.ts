import * as z from 'zod';

/** Protected paths were looked at after an attempt, and put back where it had touched them. */
export const PathsRestored = z.strictObject({
  type: z.literal('paths.restored'),
  key: z.string(),
  iteration: z.number().int().positive(),
  attempt: z.number().int().positive(),
  /** Empty: nothing was touched. */
  paths: z.array(z.string()),
  /** The ref that keeps what the agent had made of them; null when nothing was touched. */
  kept: z.string().nullable(),
});
export type PathsRestored = Readonly<z.infer<typeof PathsRestored>>;

export const ReceiptWritten = z.strictObject({
  type: z.literal('receipt.written'),
  key: z.string(),
  /** The file in the run's folder, and the commit whose note holds the same; null without one. */
  file: z.string(),
  commit: z.string().nullable(),
});
export type ReceiptWritten = Readonly<z.infer<typeof ReceiptWritten>>;
