import * as z from 'zod';

/** Which agent, and how it is called. */
export const AgentSpec = z.strictObject({
  kind: z.string(),
  command: z.string().min(1),
  flags: z.array(z.string()),
  model: z.string().nullable(),
  autonomy: z.enum(['full', 'edits', 'ask']),
});
export type AgentSpec = Readonly<z.infer<typeof AgentSpec>>;
