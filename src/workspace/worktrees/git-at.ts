import { type Git, openGitCommand } from '../git/git-command.ts';
import { withoutGitVariables } from '../../kit/pure/without-git-variables.ts';

/** Git for questions of our own, in that folder. */
export function gitAt(folder: string, env: Readonly<Record<string, string>>): Git {
  return openGitCommand(folder, withoutGitVariables(env));
}
