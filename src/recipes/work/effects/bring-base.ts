import type { BringBase } from '../../../journal/effects/work-effect.ts';
import { crewOf } from './crew-of.ts';
import type { EffectHandler } from '../../../engine/effect-handler.ts';
import { planBefore } from './kept-plan.ts';

/** The work of the others comes into the worktree of a task, with the conflicts for an agent to resolve. */
export const bringBase: EffectHandler<BringBase> = {
  async perform({ key, iteration, path }, ports) {
    const answer = await crewOf(ports).branches.bringBase(path);
    if (answer.kind === 'trouble') return { type: 'base.brought', key, iteration, base: '', conflicts: [], problem: answer.why };
    await planBefore(ports, { iteration, path }, 'anew');
    return { type: 'base.brought', key, iteration, base: answer.base, conflicts: [...answer.conflicts], problem: null };
  },

  /** Brought again it tells the same conflicts. */
  find: async () => null,
};
