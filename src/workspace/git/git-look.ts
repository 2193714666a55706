import type { Sight } from '../../engine/ports/git.ts';
import type { HistoryPlace } from './git-place.ts';
import { nameTree } from './git-tree.ts';
import { headIn, knownTreeOf } from './known.ts';

/** Where git cannot read the repository there is no tree, and so nothing that could be committed. */
export async function look(place: Pick<HistoryPlace, 'git' | 'gitDir' | 'commonDir' | 'known' | 'scratch'>): Promise<Sight> {
  const { git, scratch, known } = place;
  try {
    const head = await headIn(place);
    const headTree = head === null ? null : await knownTreeOf(place, head);
    const own = await scratch.keeping();
    const index = `${head} ${scratch.keptFrom}`;
    const { tree, problem, wasClean } = await nameTree(git, own, { isClean: known.cleanIndex === index });
    known.cleanIndex = tree !== null && wasClean ? index : '';
    if (tree !== null) await scratch.adopt(tree);
    return { head, headTree, tree, problem: tree === null ? problem : null };
  } catch (error) {
    return { head: null, headTree: null, tree: null, problem: (error as Error).message };
  }
}
