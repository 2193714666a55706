import type { EffectHandler } from '../../engine/contracts.ts';
import type { Ports } from '../../engine/ports/ports.ts';
import type { RevertPaths } from '../../journal/effects/effect.ts';
import type { PathsRestored } from '../../journal/events/gates.ts';
import { gitMust, keptRef } from './scm-place.ts';

/** The event lists at most this many; the kept ref has all of them. */
const MOST_PATHS = 1000;

/** Reverts changes to protected paths. It is safe to repeat: a reverted path stays as it is. */
export const revertPaths: EffectHandler<RevertPaths> = {
  async perform(effect, ports) {
    const ref = refOf(effect, ports);
    const paths = await putAllBack(effect, ports, ref);
    return restored(effect, paths, paths.length === 0 ? null : ref);
  },

  /** A loop may have reverted everything and died before it recorded that. The kept ref shows it, so that the agent's change is still reported. */
  async find(effect, ports) {
    const ref = refOf(effect, ports);
    const before = await ports.history.revertedPaths(effect.tree, effect.protect, ref);
    if (before.length === 0) return null;
    const rest = await putAllBack(effect, ports, ref);
    return restored(effect, [...new Set([...before, ...rest])].sort(), ref);
  },
};

function putAllBack({ tree, protect }: RevertPaths, { history }: Ports, ref: string): Promise<readonly string[]> {
  return gitMust('put back what is protected', () => history.revert(tree, protect, ref));
}

const refOf = ({ iteration, attempt }: RevertPaths, { place }: Ports) => keptRef(place, `${iteration}.${attempt}`);

function restored({ key, iteration, attempt }: RevertPaths, paths: readonly string[], kept: string | null): PathsRestored {
  return { type: 'paths.restored', key, iteration, attempt, paths: paths.slice(0, MOST_PATHS), kept };
}
