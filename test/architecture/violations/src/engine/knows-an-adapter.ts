import { commit } from '../adapters/git/commit.ts';

export const trespass = commit;
