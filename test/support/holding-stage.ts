import type { PlanPorts, WorkPorts } from '../../src/engine/ports/ports.ts';
import type { Registers } from '../../src/engine/ports/stores.ts';
import type { TaskBranches } from '../../src/engine/ports/task-branches.ts';
import type { PlanTask } from '../../src/journal/words/plan.ts';
import { type AuditEntry, type Holder, TaskRegister } from '../../src/journal/words/task-register.ts';
import { openPlanNews } from '../../src/plans/graph/plan-news.ts';
import { registerName } from '../../src/plans/graph/standing.ts';
import type { WorkSpec } from '../../src/settings/schema/work-spec.ts';
import { type MemoryPlan, memoryPlan } from './memory-plan.ts';
import { memoryRegisters } from './memory-registers.ts';
import { planOf } from './plan-of.ts';
import { scriptedWorld } from './scripted-world.ts';
import { workSettings } from './work-spec.ts';

export type HoldingProcess = NonNullable<Holder['process']>;

export const PLAN_PATH = 'task-graph.yaml';
export const processNumbered = (pid: number): HoldingProcess => ({ host: 'here', boot_id: 'boot', pid, start_time: String(pid) });
const unwanted = () => Promise.reject(new Error('nobody needs a branch here'));
const noBranches: TaskBranches = {
  open: unwanted,
  settle: unwanted,
  merge: unwanted,
  filesOf: async () => null,
  merged: async () => null,
  treeOf: async () => null,
  follow: unwanted,
  bringBase: unwanted,
  close: unwanted,
};

/** Of the run `r` itself. */
export const OURS = processNumbered(1);

interface StageSetup {
  readonly tasks?: readonly PlanTask[];
  readonly spec?: Partial<WorkSpec>;
  readonly askForWork?: WorkPorts['runPromptCommand'];
  /** The names under which something was merged: slug and number. */
  readonly merged?: readonly string[];
}

/** A run `r` with a plan and registers in memory; processes live until they are said to be dead. */
export function holdingStage({ tasks = [], spec = {}, askForWork = null, merged = [] }: StageSetup = {}) {
  const registers = memoryRegisters();
  const plan = memoryPlan(planOf(tasks));
  const dead = new Set<number>();
  const audited: AuditEntry[] = [];
  const crew: WorkPorts = {
    plan,
    planIn: () => plan,
    registers,
    branches: { ...noBranches, merged: async (slug, n) => (merged.includes(`${slug}.${n}`) ? 'c1' : null) },
    process: OURS,
    livenessOf: ({ host, pid }) => (host === 'here' ? (dead.has(pid) ? 'dead' : 'alive') : 'unknown'),
    locationOf: async () => 'base',
    withGatesAtStart: (task) => ({ ...task, verify: [...task.verify, 'as at the start'] }),
    planNews: openPlanNews(),
    runPromptCommand: askForWork,
    audit: async (entry) => void audited.push(entry),
  };
  const { ports } = scriptedWorld({ turns: [], gates: [] }, workSettings(spec), '/nowhere');
  return {
    crew,
    ports: { ...ports, work: crew, place: { ...ports.place, markerPrefix: 'r~1' } } satisfies PlanPorts,
    plan: plan satisfies MemoryPlan,
    registers,
    audited,
    die: (...pids: readonly number[]) => {
      for (const pid of pids) dead.add(pid);
    },
    now: (task: string) => registerNow(registers, task),
  };
}

/** As a resumed run has it: the same, in another process. */
export const inProcess = (ports: PlanPorts, process: HoldingProcess): PlanPorts => ({ ...ports, work: { ...ports.work, process } });

export const workerOf = (run: string, lane: number, process: Holder['process']): Holder => ({ name: `${run}/${lane}`, run, lane, process });

/** What the register of a task says. */
async function registerNow(registers: Registers, task: string): Promise<{ readonly n: number; readonly register: TaskRegister } | null> {
  const found = await registers.get(registerName(PLAN_PATH, task));
  return found && { n: found.n, register: TaskRegister.parse(found.value) };
}
