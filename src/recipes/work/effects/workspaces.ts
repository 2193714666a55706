import type { EffectHandler } from '../../../engine/contracts.ts';
import type { PlanPorts } from '../../../engine/ports/ports.ts';
import type { BringBase, CloseWorkspace, OpenWorkspace } from '../../../journal/effects/work-effect.ts';
import type { WorkspaceOpened } from '../../../journal/events/work.ts';
import { keptRef } from '../../../workspace/effects/scm-place.ts';
import { planBefore } from './saved-plan.ts';

/** Opens a worktree for the task, with its own branch. */
export const openWorkspace: EffectHandler<OpenWorkspace, PlanPorts> = {
  perform: (effect, ports, _report, signal) => open(effect, ports, signal),

  /** Opening it again finds what exists, so that it is closed later: nobody else knows of it. */
  find: (effect, ports) => open(effect, ports, new AbortController().signal),
};

async function open(effect: OpenWorkspace, ports: PlanPorts, signal: AbortSignal): Promise<WorkspaceOpened> {
  const { branch, from } = effect;
  const { branches, plan } = ports.work;
  const openIt = () => branches.open({ branch, from, pathspecs: plan.pathspecs }, signal);
  const first = await openIt();
  // What the system refuses once may work at once afterwards, and opening it again finds what was made.
  const answer = first.kind === 'trouble' && !signal.aborted ? await openIt() : first;
  if (answer.kind === 'trouble') return opened(effect, { path: '', cwd: '', base: '', problem: answer.why });
  const { path, cwd, base, head } = answer;
  await planBefore(ports, { iteration: effect.iteration, path }, 'once');
  return opened(effect, { path, cwd, base, head, problem: null });
}

function opened({ key, iteration, branch }: OpenWorkspace, place: Pick<WorkspaceOpened, 'path' | 'cwd' | 'base' | 'head' | 'problem'>): WorkspaceOpened {
  return { type: 'workspace.opened', key, iteration, branch, ...place };
}

/** Removes the worktree of a task. Uncommitted files are kept. */
export const closeWorkspace: EffectHandler<CloseWorkspace, PlanPorts> = {
  async perform({ key, iteration, path, branch, is_merged }, ports) {
    const keepAs = keptRef(ports.place, `${iteration}-left`);
    const closeIt = () => ports.work.branches.close({ path, branch, isMerged: is_merged, keepAs });
    const first = await closeIt();
    const answer = first.kind === 'closed' ? first : await closeIt();
    const came = answer.kind === 'closed' ? { kept: answer.kept, problem: null } : { kept: null, problem: answer.why };
    return { type: 'workspace.closed', key, iteration, ...came };
  },

  /** Safe to repeat: a removed one stays removed. */
  find: async () => null,
};

/** Merges the base into the worktree of a task, with the conflicts for an agent to resolve. */
export const bringBase: EffectHandler<BringBase, PlanPorts> = {
  async perform({ key, iteration, path }, ports) {
    const answer = await ports.work.branches.bringBase(path);
    if (answer.kind === 'trouble') return { type: 'base.brought', key, iteration, base: '', conflicts: [], problem: answer.why };
    await planBefore(ports, { iteration, path }, 'anew');
    return { type: 'base.brought', key, iteration, base: answer.base, conflicts: [...answer.conflicts], problem: null };
  },

  /** Safe to repeat: it reports the same conflicts. */
  find: async () => null,
};
