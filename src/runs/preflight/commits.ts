import { commitsByGit, isCommit, wordsIn } from '../../settings/schema/scm-words.ts';
import { type CommitTrial, commitTrial } from '../../workspace/git/commit/sign.ts';
import { type Check, type CheckResult, fine, found, joined, NOTHING } from './finding.ts';

/** Makes a commit object as this run would, and discards it. Only for runs that commit by themselves; whether git knows an author was checked before. */
const checkOwnCommits: Check = async ({ settings: { scm }, workspace: { git, env } }) => {
  if (git === null || scm === null || !commitsByGit(scm)) return NOTHING;
  const flags = scm.tasks.filter(isCommit).flatMap((task) => wordsIn(task).slice(1));
  return trialResult(await commitTrial(git.topLevel, env, flags));
};

/** What Ralph commits by itself, and what agents may commit. */
export const checkCommits: Check = async (run) => joined(await Promise.all([checkOwnCommits(run), agentCommits(run)]));

const agentCommits: Check = async (run) => await (await import('./agent-commits.ts')).checkAgentCommits(run);

/** The same for an operator who asks: also whether git knows an author, and whether or not a run would commit. */
export const checkRepository: Check = async (run) => joined(await Promise.all([checkPlace(run), agentCommits(run)]));

const checkPlace: Check = async (run) => {
  const { settings, workspace } = run;
  const { git, env } = workspace;
  const isNeeded = commitsByGit(settings.scm);
  if (git === null) {
    const fix = 'Run `git init`: without a repository Ralph cannot undo, compare or prove changes.';
    return found({ what: 'this is not a git repository', where: workspace.cwd, fix, isFatal: isNeeded });
  }
  const obstacle = await git.obstacle(settings.scm === null ? ['git'] : wordsIn(settings.scm.command));
  if (obstacle === null) return settings.scm === null ? trialResult(await commitTrial(git.topLevel, env, [])) : await checkOwnCommits(run);
  const fix = 'Do that, if Ralph or its agents are to commit.';
  return found({ what: `nothing can be committed here: ${obstacle}`, where: git.topLevel, fix, isFatal: isNeeded });
};

function trialResult({ refusal, isSigned }: CommitTrial): CheckResult {
  if (refusal === null) return fine(isSigned ? 'git signs commits' : 'git makes commits, unsigned');
  const fix = 'Unlock or correct the key (git config user.signingKey), or turn signing off: git config commit.gpgSign false';
  return found({ what: `git cannot make a signed commit: ${refusal}`, where: 'commit.gpgSign', fix, isFatal: true });
}
