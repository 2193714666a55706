import type { CloseWorkspace } from '../../../journal/effects/work-effect.ts';
import { crewOf } from './crew-of.ts';
import type { EffectHandler } from '../../../engine/effect-handler.ts';
import { keptRef } from '../../../workspace/effects/kept-ref.ts';

/** Takes the worktree of a task away. What nobody has committed there is kept. */
export const closeWorkspace: EffectHandler<CloseWorkspace> = {
  async perform({ key, iteration, path, branch, is_merged }, ports) {
    const keepAs = keptRef(ports.place, `${iteration}-left`);
    const answer = await crewOf(ports).branches.close({ path, branch, isMerged: is_merged, keepAs });
    const came = answer.kind === 'closed' ? { kept: answer.kept, problem: null } : { kept: null, problem: answer.why };
    return { type: 'workspace.closed', key, iteration, ...came };
  },

  /** One that is gone already stays so. */
  find: async () => null,
};
