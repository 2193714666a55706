import * as z from '../../kit/pure/shape.ts';

/**
 * What counts as "I am done" in an agent's text. `response`, `promise` and `tag` name the shape that the recipe asks for; `src/proof/claims/` accepts the word
 * in the other shapes too. question: `<promise>WORD:text</promise>`, where the text is a question to a person.
 */
export const ClaimSpec = z.strictObject({
  kind: z.enum(['response', 'promise', 'question', 'tag']),
  word: z.string().min(1),
});
export type ClaimSpec = Readonly<z.infer<typeof ClaimSpec>>;

/**
 * An agent says that it is done, or that it needs a person (`blocked`, `question`). A DONE file and a task's state are claims too, not only words in a text.
 */
export const Claim = z.strictObject({
  by: z.enum(['response', 'promise', 'tag', 'word', 'done-file', 'task-state', 'blocked', 'question']),
  text: z.string(),
});
export type Claim = Readonly<z.infer<typeof Claim>>;

/** What an agent process is started for. Only `work` can claim to be done, and only its fatal errors end the run. */
export const AttemptRole = z.enum(['work', 'review', 'message', 'resolve']);
export type AttemptRole = z.infer<typeof AttemptRole>;
