import type { Children } from '../../src/engine/ports/supervision.ts';
import type { ChildRequest } from '../../src/journal/effects/task-effect.ts';
import type { ProcessIdentity } from '../../src/process/process-request.ts';
import { COMPLAINT, type Manner } from '../contracts/children.ts';

export interface MemoryChildren extends Children {
  /** All that was ever asked for. */
  readonly asked: readonly ChildRequest[];
}

/** Children without processes; their prompt is their manner, as in the contract. */
export function memoryChildren(): MemoryChildren {
  const asked: ChildRequest[] = [];
  const registered = new Map<string, ProcessIdentity>();
  const atWork = new Set<string>();
  return {
    asked,
    active: async () => [...atWork],
    async start(child, signal) {
      asked.push(child);
      if (signal.aborted) return { kind: 'refused', why: 'the run is over' };
      const manner = child.prompt as Manner;
      if (manner === 'complains and ends') return { kind: 'refused', why: COMPLAINT };
      const identity = { host: 'here', bootId: 'boot', pid: 100 + asked.length, startTime: String(asked.length) };
      registered.set(child.run, identity);
      if (manner !== 'ends at once') atWork.add(child.run);
      return { kind: 'started', identity };
    },
    find: async (run) => registered.get(run) ?? null,
    async end(runs) {
      return { ended: runs.filter((run) => atWork.delete(run)), left: [] };
    },
  };
}
