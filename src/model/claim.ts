import * as z from 'zod';

/** What counts as "I am done" in an agent's text: a word in a tag, compared exactly and without regard to case. */
export const ClaimSpec = z.strictObject({
  kind: z.enum(['response', 'promise', 'tag']),
  word: z.string().min(1),
});
export type ClaimSpec = Readonly<z.infer<typeof ClaimSpec>>;

/** Somebody said "done". A DONE file and a task's state are claims of the same kind as words in a text. */
export const Claim = z.strictObject({
  by: z.enum(['response', 'promise', 'tag', 'word', 'done-file', 'task-state']),
  text: z.string(),
});
export type Claim = Readonly<z.infer<typeof Claim>>;
