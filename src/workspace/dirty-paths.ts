import { withoutGitVariables } from '../kit/pure/without-git-variables.ts';
import { type BeforeGit, type Git, openGitCommand, type Variables } from './git/git-command.ts';
import { withoutFiltersOf } from './git/git-nested.ts';

/** A hook has not long; a repository that takes longer blocks nobody. */
const TIMEOUT_MS = 15_000;

/** Without the index being written, which the agent's own git may be at. */
const STATUS = ['--no-optional-locks', 'status', '--porcelain', '-z'];

/** What is not committed, without the marker of the loop; nothing where git cannot say. What git obeys was looked after by `before`. */
export async function dirtyPaths(cwd: string, env: Variables, before: BeforeGit): Promise<readonly string[]> {
  return await pathsOf(openGitCommand(cwd, withoutGitVariables(env), before, TIMEOUT_MS));
}

/** The same where nobody looks after it: filters are the user's own ones, never those that the repository names. */
export async function dirtyPathsUnguarded(cwd: string, env: Variables): Promise<readonly string[]> {
  const ours = withoutGitVariables(env);
  const git = openGitCommand(cwd, ours, undefined, TIMEOUT_MS);
  return await pathsOf(git, await withoutFiltersOf({ run: (args) => git(args), env: ours }, [cwd], ['-C', '/']));
}

async function pathsOf(git: Git, own?: Variables): Promise<readonly string[]> {
  const { code, stdout } = await git(STATUS, own);
  return code === 0 ? pathsIn(stdout).filter((path) => !/(^|\/)\.ralph-active$/.test(path)) : [];
}

/** A path that was renamed is followed by the old one, which has no letters before it. */
function pathsIn(status: string): readonly string[] {
  const fields = status.split('\0');
  return fields.flatMap((field, index) => (field === '' || /^[RC]/.test(fields[index - 1] ?? '') ? [] : [field.slice(3)]));
}
