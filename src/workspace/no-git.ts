import type { GitHistory, GitPort } from '../engine/ports/git.ts';

const nothing = async () => null;

/** For a folder without a repository: nothing to see, nothing to commit. Runs that need one are refused before they start. */
export const noGit: GitPort = {
  snapshot: nothing,
  tree: nothing,
  look: nothing,
  obstacle: async () => 'this is not a git repository',
  commit: async () => ({ kind: 'failed', detail: 'this is not a git repository' }),
  findCommit: nothing,
};

const noRepository = async (): Promise<never> => {
  throw new Error('this is not a git repository');
};

export const noHistory: GitHistory = {
  changesSince: nothing,
  revert: noRepository,
  revertedPaths: async () => [],
  checkOut: noRepository,
  below: noRepository,
  filesIn: noRepository,
  bytesOf: noRepository,
  bytesOfAll: noRepository,
  writeNote: noRepository,
  readNote: nothing,
};
