import type { Git } from '../git/git-command.ts';
import { OUR_NAME } from '../git/git-place.ts';

const NAMELESS = /tell me who you are|auto-detect email|empty ident name|no (?:name|email) was given/i;

/** Uses the operator's name, or Ralph's where the operator has none. Git checks for a name before it does anything. */
export function named(git: Git): Git {
  return async (args, own) => {
    const answer = await git(args, own);
    const isNameless = answer.code !== 0 && NAMELESS.test(answer.stderr);
    return isNameless ? await git(args, { ...own, ...OUR_NAME }) : answer;
  };
}
