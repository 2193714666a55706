import { Instruction } from '../../journal/words/instruction.ts';
import * as z from '../../kit/pure/shape.ts';

const run = z.string().min(1);
const task = z.string().nullable();

/** What a person can do on the page. */
const Action = z.union([
  z.strictObject({ kind: z.literal('answer'), run, task, text: z.string().min(1) }),
  z.strictObject({ kind: z.literal('accept'), run, task }),
  z.strictObject({ kind: z.literal('instruct'), run, instruction: Instruction }),
  z.strictObject({ kind: z.enum(['pause', 'go-on', 'drain', 'stop', 'resume']), run }),
]);
export type Action = Readonly<z.infer<typeof Action>>;

/** Null: the text is no action. */
export function actionIn(text: string): Action | null {
  try {
    return Action.safeParse(JSON.parse(text)).data ?? null;
  } catch {
    return null;
  }
}
