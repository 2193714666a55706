import { basename, dirname, join } from 'node:path';

interface Repository {
  readonly topLevel: string;
  readonly commonDir: string;
}

/** The copy of a run is beside the repository, like its worktrees. It has the name of the work tree, because some tools depend on that. */
export function copyFolderOf({ topLevel, commonDir }: Repository, runId: string): string {
  return join(copiesOf({ topLevel, commonDir }), runId, basename(topLevel));
}

/** The folder of all copies of a repository. */
export function copiesOf({ topLevel, commonDir }: Repository): string {
  return join(`${basename(commonDir) === '.git' ? dirname(commonDir) : topLevel}.ralph`, 'copy');
}
