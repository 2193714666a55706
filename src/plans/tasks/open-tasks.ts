import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import type { WorkPorts } from '../../engine/ports/ports.ts';
import type { PlanStore } from '../../engine/ports/stores.ts';
import { STORE_VARIABLE } from '../../fleet/store-url.ts';
import { readRegular } from '../../kit/files/read.ts';
import { writeAtomic } from '../../kit/files/write.ts';
import { OperatorError } from '../../kit/pure/operator-error.ts';
import * as z from '../../kit/pure/shape.ts';
import { livenessOf } from '../../process/identity.ts';
import { WorkSpec } from '../../settings/schema/work-spec.ts';
import { openFileRegisters } from '../../store/registers-files.ts';
import { excludeOurFiles } from '../../workspace/git-exclude.ts';
import { type FoundPlan, findPlan, resultLocator } from '../find/find-plan.ts';
import { openPlanStore } from '../open-plan-store.ts';
import { type AuditChange, openTaskAudit } from './audit.ts';
import { type CallerPlace, type WorkTree, workTreeAt } from './work-tree.ts';

/** A plan, the holders of its tasks, and its audit log. */
export interface Tasks extends Pick<WorkPorts, 'registers' | 'livenessOf' | 'plan' | 'locationOf'> {
  readonly place: PlanPlace;
  /** The plan at its home. */
  readonly store: PlanStore;
  readonly audit: (word: AuditChange) => Promise<void>;
}

export async function openTasks(wanted: string | null, standpoint: CallerPlace): Promise<Tasks> {
  const place = await findPlanPlace(wanted, standpoint);
  const { home, top, commonDir, shared } = place;
  const plan = planIn(home, place);
  const fleet = await fleetOf(place);
  const write = openTaskAudit(home, basename(top));
  return {
    place,
    store: plan,
    plan,
    locationOf: resultLocator(home, place.env, plan),
    registers: fleet?.registers ?? openFileRegisters(join(shared, 'registers')),
    livenessOf: fleet?.livenessOf ?? (({ host, boot_id, pid, start_time }) => livenessOf({ host, bootId: boot_id, pid, startTime: start_time })),
    async audit(word) {
      if (commonDir !== null) await excludeOurFiles(commonDir).catch(() => undefined);
      await write(word);
    },
  };
}

/** What the machines of a fleet share; null: there is no store, or an agent asks, which never sees one. Little is loaded to find that out. */
async function fleetOf({ home, env }: PlanPlace): Promise<Pick<Tasks, 'registers' | 'livenessOf'> | null> {
  const isNamed = env[STORE_VARIABLE] || SETTINGS_FILES.some((name) => readRegular(join(home, name))?.includes('"store"'));
  if (!isNamed || env['RALPH_SOCKET']) return null;
  const { fleetOfPlan } = await import('../../fleet/open-fleet.ts');
  return await fleetOfPlan({ home, env });
}

/** The same plan in another work tree, given its top. */
function planIn(top: string, { plan, shared }: PlanPlace): PlanStore {
  return openPlanStore({ ...plan, top, cacheFolder: join(shared, 'cache') });
}

/** A plan, seen from a folder. */
export interface PlanPlace extends WorkTree, CallerPlace {
  readonly plan: WorkSpec['plan'];
  /** The top of the work tree in which it is written. */
  readonly home: string;
  /** Where Ralph keeps what all worktrees of the repository share: in git's own folder, or in `.ralph/` without git. */
  readonly shared: string;
}

/** The named plan; else, for agents and in Ralph's worktrees, the one that is worked on; else the only one of this work tree. */
async function findPlanPlace(wanted: string | null, standpoint: CallerPlace): Promise<PlanPlace> {
  const tree = await workTreeAt(standpoint);
  const recorded = recordedHome(tree, standpoint);
  const found = wanted === null && recorded !== null ? recorded : await homeOf(wanted, recorded, { ...tree, ...standpoint });
  const shared = tree.commonDir === null ? join(tree.top, '.ralph') : join(tree.commonDir, 'ralph');
  return { ...standpoint, ...tree, ...found, shared };
}

/** Elsewhere the plan of the current work tree is meant, whoever worked on another one last. */
function recordedHome({ commonDir, isOurs }: WorkTree, { env }: CallerPlace): PlanHome | null {
  const isForAnAgent = isOurs || Boolean(env['RALPH_SOCKET']) || Boolean(env['RALPH_TASK_ID']);
  const recorded = commonDir !== null && isForAnAgent ? readPlanHome(commonDir) : null;
  return recorded !== null && existsSync(recorded.home) ? recorded : null;
}

/** The same plan by its path has the same home. */
async function homeOf(wanted: string | null, recorded: PlanHome | null, tree: WorkTree & CallerPlace): Promise<PlanHome> {
  const plan = wanted === null ? await unnamedPlan(tree) : await findPlan(tree.top, resolve(tree.cwd, wanted));
  return recorded !== null && recorded.plan.path === plan.path ? recorded : { plan, home: tree.top };
}

/** Where there is no plan at the usual paths, or more than one, the last `ralph work` of the repository says which one is meant: it prints commands for it. */
async function unnamedPlan({ top, commonDir, cwd }: WorkTree & CallerPlace): Promise<FoundPlan> {
  try {
    return await findPlan(top, null, cwd);
  } catch (error) {
    const last = commonDir === null ? undefined : readPlanHome(commonDir)?.plan;
    if (!(error instanceof OperatorError) || last === undefined || !existsSync(join(top, last.path))) throw error;
    return last;
  }
}

/** As `settings/load-settings.ts` has them, which would load the whole schema. */
const SETTINGS_FILES = ['.ralph/settings.json', '.ralph/settings.local.json'];

const PlanHome = z.object({ plan: WorkSpec.shape.plan, home: WorkSpec.shape.home });

/** Which plan is worked on, and the work tree in which it is written. */
export type PlanHome = Readonly<z.infer<typeof PlanHome>>;

const fileOf = (commonDir: string) => join(commonDir, 'ralph', 'plan-home.json');

/** Recorded by the last `ralph work` of this repository; null when there was none, or the record is not valid. */
export function readPlanHome(commonDir: string): PlanHome | null {
  const text = readRegular(fileOf(commonDir));
  if (text === null) return null;
  try {
    return PlanHome.safeParse(JSON.parse(text)).data ?? null;
  } catch {
    return null;
  }
}

/** For `ralph task` in every worktree of the repository. */
export async function writePlanHome(commonDir: string, home: PlanHome): Promise<void> {
  await mkdir(join(commonDir, 'ralph'), { recursive: true, mode: 0o700 });
  await writeAtomic(fileOf(commonDir), `${JSON.stringify(home)}\n`);
}
