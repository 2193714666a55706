import type { EffectHandler } from '../../engine/contracts.ts';
import type { MadeCommit } from '../../engine/ports/git.ts';
import type { Ports } from '../../engine/ports/ports.ts';
import type { Commit } from '../../journal/effects/effect.ts';
import type { CommitMade, CommitRefused } from '../../journal/events/scm.ts';
import { wordsIn } from '../../settings/schema/scm-words.ts';
import { scmLog, scmMarker } from './scm-place.ts';

/** Makes one commit of the tree that the gates saw, with the operator's own hooks and identity. */
export const commit: EffectHandler<Commit> = {
  async perform(effect, ports, _report, signal) {
    const answer = await ports.git.commit({ ...wishOf(effect, ports), logFile: await scmLog(ports.place, effect, 'commit') }, signal);
    if (answer.kind === 'made') return made(effect, answer, answer.leftOut);
    return { ...refused(effect, answer.kind, answer.detail), tree: await ports.git.tree() };
  },

  /** Looks in the history for the commit. */
  async find(effect, ports) {
    const found = await ports.git.findCommit(wishOf(effect, ports));
    if (found === null) return null;
    // No gate has seen what was committed on top of it since.
    const sight = await ports.git.look();
    return made(effect, { commit: found.commit, tree: sight?.head === found.commit ? found.tree : (sight?.headTree ?? '') }, []);
  },
};

function wishOf(effect: Commit, { settings: { scm }, place }: Ports) {
  const { parent, message, flags, tree, tree_after } = effect;
  return {
    git: wordsIn(scm?.command ?? 'git'),
    flags,
    parent,
    message,
    tree,
    treeAfter: tree_after,
    marker: scmMarker(place, effect),
    timeoutMs: scm?.timeoutMs ?? 0,
  };
}

function made({ key, iteration, message }: Commit, { commit: id, tree }: MadeCommit, leftOut: readonly string[]): CommitMade {
  return { type: 'commit.made', key, iteration, commit: id, tree, message, left_out: [...leftOut] };
}

function refused({ key, iteration }: Commit, reason: CommitRefused['reason'], detail: string): CommitRefused {
  return { type: 'commit.refused', key, iteration, reason, detail, tree: null };
}
