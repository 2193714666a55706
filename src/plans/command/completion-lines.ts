import { formatDuration } from '../../kit/pure/duration.ts';
import { printable } from '../../kit/pure/printable.ts';
import type { Completion } from '../tasks/complete-task.ts';
import type { Verified } from '../tasks/run-verify.ts';

export function completionLines(id: string, completion: Completion): readonly string[] {
  if (completion.kind === 'already') return [`✓ ${printable(id)} is complete already`];
  if (completion.kind === 'noted') {
    return [`✓ ${printable(id)} is noted as complete`, '  The loop itself checks its outputs and runs its verify commands once you have ended.'];
  }
  return [`✓ ${printable(id)} marked complete`, ...completion.unlocked.map((other) => `  → ${printable(other)} is now ready`)];
}

export function completionJson(id: string, completion: Completion, forced: boolean): object {
  const { unlocked = [], warnings = [] } = completion.kind === 'completed' ? completion : {};
  return { task: id, result: completion.kind, forced: forced && completion.kind === 'completed', unlocked, warnings };
}

export function verifiedLine({ command, green, ending, durationMs }: Verified): string {
  return `  ${green ? '✓' : '✗'} ${printable(command)} (${green ? '' : `${ending}, `}${formatDuration(durationMs)})`;
}
