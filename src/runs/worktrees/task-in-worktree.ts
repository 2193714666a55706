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

/** The task that a worktree is about. */
export interface TaskInWorktree {
  readonly id: string;
  /** in progress: whoever has it is alive, or nobody can tell. left: nobody has it. The others are what became of it. */
  readonly state: 'in progress' | 'left' | 'failed' | 'conflict' | 'parked' | 'done';
  /** Who has it in progress. */
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

/** Tells of every worktree which task it is about: the one whose branch it is on, or the one that was claimed in it. Null: none. */
export async function taskTeller(repository: Repository): Promise<(worktree: Seen) => TaskInWorktree | null> {
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

/** By somebody without a process and without a name of their own, as `ralph task claim` calls them. */
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

/** Of an earlier holder, or of a task that is done: only the branch still names it. */
function namedBy({ branch }: Seen, { tasks }: Plan): TaskInWorktree | null {
  const slug = /^ralph\/(.+)\.\d+$/.exec(branch ?? '')?.[1];
  const task = slug === undefined ? undefined : tasks.find(({ id }) => taskSlug(id) === slug);
  return task === undefined ? null : { id: task.id, state: task.status === 'complete' ? 'done' : 'left', holder: null, run: null };
}

/** The plan that the last crew of a repository worked on, else the only one there is. Null: there is none that could be read, and nobody needs one here. */
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
