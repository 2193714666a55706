import * as z from '../../kit/pure/shape.ts';

const text = z.string().min(1);
const task = z.string().min(1);

/**
 * What a person tells a run besides stopping and answering. note: for the next prompt, of that task or story if one is named. again: another try of a task that
 * waits for a person, with a note and another agent of the run; without a task, the agent is for the whole run. skip: this run leaves the task alone. budget:
 * what the run may cost in all.
 */
export const Instruction = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('note'), task: task.nullable(), text }),
  z.strictObject({ kind: z.literal('again'), task: task.nullable(), text: text.nullable(), agent: z.string().min(1).nullable() }),
  z.strictObject({ kind: z.literal('skip'), task }),
  z.strictObject({ kind: z.literal('budget'), usd: z.number().positive() }),
]);
export type Instruction = Readonly<z.infer<typeof Instruction>>;

/** In a few words, for people. */
export function instructionText(instruction: Instruction): string {
  const about = 'task' in instruction && instruction.task !== null ? ` ${instruction.task}` : '';
  switch (instruction.kind) {
    case 'note':
      return `note for${about || ' the next agent'}: ${instruction.text}`;
    case 'again':
      return [
        `try${about} again`,
        instruction.agent === null ? '' : ` with ${instruction.agent}`,
        instruction.text === null ? '' : `: ${instruction.text}`,
      ].join('');
    case 'skip':
      return `skip${about}`;
    case 'budget':
      return `raise the cost limit to $${instruction.usd.toFixed(2)}`;
  }
}
