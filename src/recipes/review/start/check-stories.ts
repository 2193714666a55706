import { join } from 'node:path';
import type { GitCli } from '../../../workspace/git/git-cli.ts';
import { readPlanFile } from '../../../workspace/stories/git-story-plan-file.ts';
import { editedAtRest } from '../../../plans/review/edited-at-rest.ts';
import { isThere } from '../../../kit/files/is-there.ts';
import { OperatorError } from '../../../kit/pure/operator-error.ts';
import type { StoryPlan } from '../../../journal/words/story.ts';
import type { Workspace } from '../../../workspace/workspace.ts';
import { gitAt } from '../../../workspace/worktrees/git-at.ts';

interface Rules {
  readonly cap: number;
  readonly skipReview: boolean;
}

/** A list that nobody could work on is refused before anything is written. */
export async function checkedStories(home: string, path: string, rules: Rules): Promise<StoryPlan> {
  const { plan, problem } = editedAtRest(null, await readPlanFile({ topLevel: home, plan: path, planPath: join(home, path) }), rules);
  if (plan !== null) return plan;
  throw refused('plan-broken', `${path} ${problem ?? 'cannot be used'}`, 'ralph plan check shows everything that is wrong with it.');
}

/** What git ignores is in no commit, so no history would show who approved what. */
export async function refuseIgnored({ env }: Workspace, git: GitCli, path: string): Promise<void> {
  const { code } = await gitAt(git.topLevel, env)(['check-ignore', '--quiet', '--', path]);
  if (code === 0)
    throw refused('plan-ignored', `git ignores ${path}, so nobody could see in its history what was approved`, 'Take it out of .gitignore and commit it.');
}

/** All is done on the branch of the list. With leave to do so it is checked out, and made where there is none. True: the files are now those of another branch. */
export async function onItsBranch({ env }: Workspace, git: GitCli, branch: string, createBranch: boolean): Promise<boolean> {
  const here = gitAt(git.topLevel, env);
  const now = (await here(['symbolic-ref', '--quiet', '--short', 'HEAD'])).stdout.trim();
  if (now === branch) return false;
  const isThereAlready = (await here(['rev-parse', '--verify', '--quiet', `refs/heads/${branch}`])).code === 0;
  const words = isThereAlready ? ['switch', branch] : ['switch', '--create', branch];
  const what = `the stories are to be worked on in ${branch}, and ${now === '' ? 'no branch' : now} is checked out`;
  if (!createBranch) throw refused('wrong-branch', what, `Start with --create-branch, or run: git ${words.join(' ')}`);
  const { code, stderr } = await here(words, {});
  if (code !== 0) throw refused('wrong-branch', `${what}; git cannot go there: ${stderr.trim().split('\n')[0] ?? ''}`, 'Mend that, or check it out yourself.');
  return isThereAlready;
}

/** Where the seed has two files more. One can do without them, and should know. */
export async function tellMissing(home: string, folder: string, warn: (text: string) => void): Promise<void> {
  for (const [name, instead] of [
    ['prd.md', 'agents know of the requirements only what the stories say'],
    ['prompt.md', 'the built-in prompt is used'],
  ] as const)
    if (!(await isThere(join(home, folder, name)))) warn(`there is no ${folder}/${name}: ${instead}`);
}

function refused(code: string, message: string, hint: string): OperatorError {
  return new OperatorError(code, message, { hint, exitCode: 2 });
}
