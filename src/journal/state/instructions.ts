import type { Instruction } from '../words/instruction.ts';

/** What a person has told the run, and whether it has taken effect. */
export interface GivenInstruction {
  readonly instruction: Instruction;
  readonly by: string;
  readonly atMs: number;
  /** Null: not yet. */
  readonly appliedAtMs: number | null;
  /** The key of the attempt whose prompt has its text; absent: no prompt has it yet. */
  readonly told?: string;
}

interface Instructed {
  readonly instructions?: readonly GivenInstruction[];
}

/** The texts for the next prompt about that task or story; null: a run without a plan. */
export function notesFor(about: string | null, { instructions = [] }: Instructed): readonly string[] {
  return instructions.flatMap((given) => (isNoteFor(about, given) && 'text' in given.instruction ? [given.instruction.text ?? ''] : []));
}

export function isNoteFor(about: string | null, { instruction, told }: GivenInstruction): boolean {
  if (told !== undefined || !('text' in instruction) || instruction.text === null) return false;
  return instruction.task === null || instruction.task === about;
}

/** The tasks that a person wants tried again, and whose registers are still to be freed. */
export function retriesToCarryOut({ instructions = [] }: Instructed): readonly { readonly task: string; readonly key: string; readonly text: string | null }[] {
  return instructions.flatMap(({ instruction, atMs, appliedAtMs }) =>
    instruction.kind === 'again' && instruction.task !== null && appliedAtMs === null
      ? [{ task: instruction.task, key: `again:${instruction.task}@${atMs}`, text: instruction.text }]
      : [],
  );
}
