import { surroundings } from '../../process/surroundings.ts';
import { printable } from '../../kit/pure/printable.ts';
import type { ChosenTask } from '../tasks/claim-task.ts';

/** On standard error: what a script or an agent reads is on the other one. */
export function tellClaim({ task }: ChosenTask): void {
  surroundings().stderr.write(`✓ Claimed task: ${printable(task.id)}\n`);
}
