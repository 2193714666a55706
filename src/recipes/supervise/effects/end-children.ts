import type { EndChildren } from '../../../journal/effects/task-effect.ts';
import type { EffectHandler } from '../../../engine/effect-handler.ts';
import { supervisionOf } from './supervision-of.ts';

/** Ends runs that came from this one. Those that had ended by themselves are not spoken of. */
export const endChildren: EffectHandler<EndChildren> = {
  async perform({ key, runs }, ports) {
    const { ended, left } = await supervisionOf(ports).children.end(runs);
    return { type: 'children.ended', key, ended: [...ended], left: [...left] };
  },

  /** Ended twice they are ended once. */
  find: async () => null,
};
