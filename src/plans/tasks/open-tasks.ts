import { basename, join } from 'node:path';
import { openPlanStore } from '../open-plan-store.ts';
import { openFileRegisters } from '../../store/registers-files.ts';
import type { PlanStore } from '../../engine/ports/plan-store.ts';
import type { CrewPorts } from '../../engine/ports/ports.ts';
import { livenessOf } from '../../process/identity.ts';
import { excludeOurFiles } from '../../workspace/git-exclude.ts';
import { whereIsAt } from '../find/where-is.ts';
import { type AuditWord, openTaskAudit } from './audit.ts';
import { findPlanPlace, type PlanPlace } from './find-plan-place.ts';
import type { Standpoint } from './work-tree.ts';

/** A plan, who has its tasks, and what is written down of that. */
export interface Tasks extends Pick<CrewPorts, 'registers' | 'livenessOf' | 'plan' | 'whereIs'> {
  readonly place: PlanPlace;
  /** At its home. */
  readonly store: PlanStore;
  readonly audit: (word: AuditWord) => Promise<void>;
}

export async function openTasks(wanted: string | null, standpoint: Standpoint): Promise<Tasks> {
  const place = await findPlanPlace(wanted, standpoint);
  const { home, top, commonDir, shared } = place;
  const plan = planIn(home, place);
  const write = openTaskAudit(home, basename(top));
  return {
    place,
    store: plan,
    plan,
    whereIs: whereIsAt(home, place.env),
    registers: openFileRegisters(join(shared, 'registers')),
    livenessOf: ({ host, boot_id, pid, start_time }) => livenessOf({ host, bootId: boot_id, pid, startTime: start_time }),
    async audit(word) {
      if (commonDir !== null) await excludeOurFiles(commonDir).catch(() => undefined);
      await write(word);
    },
  };
}

/** The same plan in another work tree, given its top. */
function planIn(top: string, { plan, shared }: PlanPlace): PlanStore {
  return openPlanStore({ ...plan, top, cacheFolder: join(shared, 'cache') });
}
