import type { RefuseDone } from '../../../journal/effects/task-effect.ts';
import type { EffectHandler } from '../../../engine/effect-handler.ts';
import { supervisionOf } from './supervision-of.ts';

/** Nothing is thrown away: what the agent had written stays beside it. */
export const refuseDone: EffectHandler<RefuseDone> = {
  async perform({ key, number }, ports) {
    return { type: 'done.refused', key, renamed: await supervisionOf(ports).task.refuseDone(number) };
  },

  /** The next look tells: where it had happened there is no DONE left, and where it had not it is judged once more. */
  find: async () => null,
};
