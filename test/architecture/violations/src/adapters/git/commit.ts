import { runGit } from './run-git.ts';

export const commit = (): unknown => runGit();
