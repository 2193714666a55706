import type { GitHistory, GitPort, MadeCommit, TreeLook } from '../../src/engine/ports/git.ts';

/** A repository of numbers: every change gives a new tree, every commit a new head. */
export interface MemoryGit extends GitPort {
  change(): void;
  /** Somebody commits what is there, without us. */
  commitByHand(): void;
  /** Oldest first. */
  readonly log: readonly LoggedCommit[];
}

interface LoggedCommit extends MadeCommit {
  readonly parent: string | null;
  readonly message: string;
}

export function memoryGit(): MemoryGit {
  const log: LoggedCommit[] = [{ commit: 'c0', tree: 't0', parent: null, message: 'start' }];
  let changes = 0;
  const tree = () => `t${changes}`;
  const head = () => log.at(-1) as LoggedCommit;
  const add = (made: string, message: string): LoggedCommit => {
    log.push({ commit: `c${log.length}`, tree: made, parent: head().commit, message });
    return head();
  };
  const look = (): TreeLook => ({ head: head().commit, headTree: head().tree, tree: tree(), problem: null });
  return {
    log,
    change: () => {
      changes += 1;
    },
    commitByHand: () => void add(tree(), 'by hand'),
    snapshot: async () => ({ head: head().commit, tree: tree(), dirty: tree() === head().tree ? [] : ['file'], problem: null }),
    tree: async () => tree(),
    look: async () => look(),
    obstacle: async () => null,
    async commit(wish) {
      if (wish.parent !== head().commit) return { kind: 'changed', detail: 'HEAD has moved' };
      if (tree() !== wish.tree && tree() !== wish.treeAfter) return { kind: 'changed', detail: 'the working copy has changed' };
      const { commit, tree: made } = add(wish.tree, wish.message);
      return { kind: 'made', commit, tree: made, leftOut: [] };
    },
    findCommit: async (wish) =>
      log.find(({ parent, message, tree: made }) => parent === wish.parent && (message === wish.message || made === wish.tree)) ?? null,
  };
}

/** Enough of a history for runs that never ask for it. */
export const noHistoryKept: GitHistory = {
  changesSince: async () => null,
  revert: async () => [],
  revertedPaths: async () => [],
  checkOut: async () => ({ path: '.', top: '.', shared: [], renew: async () => undefined, [Symbol.asyncDispose]: async () => undefined }),
  below: async () => '',
  filesIn: async () => new Map(),
  bytesOf: async () => new Uint8Array(),
  bytesOfAll: async () => new Map(),
  writeNote: async () => undefined,
  readNote: async () => null,
};
