import type { WorkspaceOpened } from '../../../journal/events/work.ts';
import type { OpenWorkspace } from '../../../journal/effects/work-effect.ts';
import { crewOf } from './crew-of.ts';
import type { EffectHandler } from '../../../engine/effect-handler.ts';
import { planBefore } from './kept-plan.ts';
import type { Ports } from '../../../engine/ports/ports.ts';

/** A worktree of the task's own, with a branch of its own. */
export const openWorkspace: EffectHandler<OpenWorkspace> = {
  perform: (effect, ports, _report, signal) => open(effect, ports, signal),

  /** Opening it again finds what is there of it, so that it is closed again: nobody else knows of it. */
  find: (effect, ports) => open(effect, ports, new AbortController().signal),
};

async function open(effect: OpenWorkspace, ports: Ports, signal: AbortSignal): Promise<WorkspaceOpened> {
  const { branch, from } = effect;
  const { branches, plan } = crewOf(ports);
  const answer = await branches.open({ branch, from, pathspecs: plan.pathspecs }, signal);
  if (answer.kind === 'trouble') return opened(effect, { path: '', cwd: '', base: '', problem: answer.why });
  const { path, cwd, base } = answer;
  await planBefore(ports, { iteration: effect.iteration, path }, 'once');
  return opened(effect, { path, cwd, base, problem: null });
}

function opened({ key, iteration, branch }: OpenWorkspace, place: Pick<WorkspaceOpened, 'path' | 'cwd' | 'base' | 'problem'>): WorkspaceOpened {
  return { type: 'workspace.opened', key, iteration, branch, ...place };
}
