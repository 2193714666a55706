import type { Ports, Supervision } from '../../../engine/ports/ports.ts';

/** Effects on a task folder are decided only where there is one. */
export function supervisionOf({ supervision }: Pick<Ports, 'supervision'>): Supervision {
  if (supervision === null) throw new Error('This run has no task folder.');
  return supervision;
}
