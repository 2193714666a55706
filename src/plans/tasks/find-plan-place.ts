import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { WorkSpec } from '../../settings/schema/work-spec.ts';
import { findPlan } from '../find/find-plan.ts';
import { type PlanHome, readPlanHome } from './plan-home.ts';
import { type Standpoint, type WorkTree, workTreeAt } from './work-tree.ts';

/** A plan, seen from where somebody stands. */
export interface PlanPlace extends WorkTree, Standpoint {
  readonly plan: WorkSpec['plan'];
  /** The top of the work tree in which it is written. */
  readonly home: string;
  /** Where ralph keeps what all worktrees of the repository share: in git's own folder, or in `.ralph/` without git. */
  readonly shared: string;
}

/** The plan that is named; else, for agents and in worktrees of ours, the one that is worked on; else the only one of this work tree. */
export async function findPlanPlace(wanted: string | null, standpoint: Standpoint): Promise<PlanPlace> {
  const tree = await workTreeAt(standpoint);
  const recorded = recordedHome(tree, standpoint);
  const found = wanted === null && recorded !== null ? recorded : await homeOf(wanted, recorded, { ...tree, ...standpoint });
  const shared = tree.commonDir === null ? join(tree.top, '.ralph') : join(tree.commonDir, 'ralph');
  return { ...standpoint, ...tree, ...found, shared };
}

/** Elsewhere people mean the plan before their eyes, whoever worked on another one last. */
function recordedHome({ commonDir, isOurs }: WorkTree, { env }: Standpoint): PlanHome | null {
  const isForAnAgent = isOurs || Boolean(env['RALPH_SOCKET']) || Boolean(env['RALPH_TASK_ID']);
  const recorded = commonDir !== null && isForAnAgent ? readPlanHome(commonDir) : null;
  return recorded !== null && existsSync(recorded.home) ? recorded : null;
}

/** The same plan by its name has the same home. */
async function homeOf(wanted: string | null, recorded: PlanHome | null, { top, cwd }: WorkTree & Standpoint): Promise<PlanHome> {
  const plan = await findPlan(top, wanted === null ? null : resolve(cwd, wanted));
  return recorded !== null && recorded.plan.path === plan.path ? recorded : { plan, home: top };
}
