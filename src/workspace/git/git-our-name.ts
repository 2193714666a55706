import type { Variables } from './git-command.ts';

/** What is not the user's work does not bear the user's name, and needs none to be known. */
export const OUR_NAME: Variables = {
  GIT_AUTHOR_NAME: 'ralph',
  GIT_AUTHOR_EMAIL: 'ralph@localhost',
  GIT_COMMITTER_NAME: 'ralph',
  GIT_COMMITTER_EMAIL: 'ralph@localhost',
};
