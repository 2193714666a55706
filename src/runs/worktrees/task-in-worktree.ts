import { hostname } from 'node:os';
import { basename, join } from 'node:path';
import type { Plan, PlanTask } from '../../journal/words/plan.ts';
import { OperatorError } from '../../kit/pure/operator-error.ts';
import { findPlan } from '../../plans/find/find-plan.ts';
import type { Hold } from '../../plans/graph/select-task.ts';
import { taskSlug } from '../../plans/graph/task-slug.ts';
import { leftBranch, readHolds } from '../../plans/holds/hold-of.ts';
import { openPlanStore } from '../../plans/open-plan-store.ts';
import { type PlanHome, readPlanHome } from '../../plans/tasks/open-tasks.ts';
import { livenessOf } from '../../process/identity.ts';
import { openFileRegisters } from '../../store/registers-files.ts';

export interface TaskInWorktree {
  readonly id: string;
  /** in progress: its holder is alive, or that is unknown. left: nobody holds it. The others are how it ended. */
  readonly state: 'in progress' | 'left' | 'failed' | 'conflict' | 'parked' | 'done';
  /** Who holds it. */
  readonly holder: string | null;
  /** The run of that holder; null for people and scripts. */
  readonly run: string | null;
}

interface Seen {
  readonly path: string;
  readonly branch: string | null;
}

interface Repository {
  readonly topLevel: string;
  readonly commonDir: string;
}

/** Returns a function that finds the task of a worktree: the one of its branch, or the one that was claimed in it. Null: none. */
export async function openTaskOfWorktree(repository: Repository): Promise<(worktree: Seen) => TaskInWorktree | null> {
  const found = await planOf(repository);
  if (found === null) return () => null;
  const { plan, path } = found;
  const registers = openFileRegisters(join(repository.commonDir, 'ralph', 'registers'));
  const holds = await readHolds({ registers, livenessOf: isStillThere }, path, plan);
  const held = plan.tasks.flatMap((task) => {
    const hold = holds.get(task.id);
    return hold === undefined ? [] : [{ task, hold, branch: leftBranch(task.id, hold) }];
  });
  return (worktree) => {
    const by = held.find(({ branch }) => branch !== null && branch === worktree.branch) ?? held.find(({ hold }) => isClaimedIn(worktree, hold));
    return by === undefined ? namedBy(worktree, plan) : told(by.task, by.hold);
  };
}

const isStillThere = ({ host, boot_id, pid, start_time }: { host: string; boot_id: string; pid: number; start_time: string }) =>
  livenessOf({ host, bootId: boot_id, pid, startTime: start_time });

/** By a holder without a process and without a name, as `ralph task claim` records it. */
function isClaimedIn({ path }: Seen, { register }: Hold): boolean {
  return register?.state === 'held' && register.holder?.process === null && register.holder.name === `${hostname()}:${basename(path)}`;
}

function told({ id }: PlanTask, { register, liveness }: Hold): TaskInWorktree {
  const nobody = { id, holder: null, run: null };
  if (register === null) return { ...nobody, state: 'in progress' };
  if (register.state !== 'held') return { ...nobody, state: register.state === 'free' ? 'left' : register.state };
  if (liveness === 'dead') return { ...nobody, state: 'left' };
  return { id, state: 'in progress', holder: register.holder?.name ?? null, run: register.holder?.run ?? null };
}

/** For an earlier holder, or a task that is done: only the branch name still refers to it. */
function namedBy({ branch }: Seen, { tasks }: Plan): TaskInWorktree | null {
  const slug = /^ralph\/(.+)\.\d+$/.exec(branch ?? '')?.[1];
  const task = slug === undefined ? undefined : tasks.find(({ id }) => taskSlug(id) === slug);
  return task === undefined ? null : { id: task.id, state: task.status === 'complete' ? 'done' : 'left', holder: null, run: null };
}

/** The plan on which the last `ralph work` of the repository worked, else the only plan there is. Null when none can be read: no caller here needs one. */
async function planOf({ topLevel, commonDir }: Repository): Promise<{ readonly plan: Plan; readonly path: string } | null> {
  const found = readPlanHome(commonDir) ?? (await theOnlyPlan(topLevel));
  if (found === null) return null;
  const store = openPlanStore({ ...found.plan, top: found.home, cacheFolder: join(commonDir, 'ralph', 'cache') });
  const plan = (await store.read())?.plan ?? null;
  return plan === null ? null : { plan, path: found.plan.path };
}

async function theOnlyPlan(top: string): Promise<PlanHome | null> {
  try {
    return { plan: await findPlan(top, null), home: top };
  } catch (error) {
    if (error instanceof OperatorError) return null;
    throw error;
  }
}
