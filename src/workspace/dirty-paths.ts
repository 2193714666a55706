import { ownOutputBelow } from '../process/own-output.ts';
import { withoutGitVariables } from '../sandbox/environment/environment.ts';
import { openGitCommand, type Variables } from './git/git-command.ts';
import { withoutFiltersOf } from './git/git-nested.ts';

/** A hook must answer soon. If git takes longer, the agent is not blocked. */
const TIMEOUT_MS = 15_000;

/** Does not write the index, because the agent's own git may do so now. */
const STATUS = ['--no-optional-locks', 'status', '--porcelain', '-z'];

/**
 * The paths with uncommitted changes, without the loop's active marker and its own log; none if git fails. An agent may have written the repository's settings, so only
 * filters from the operator's own settings run.
 */
export async function dirtyPaths(cwd: string, env: Variables): Promise<readonly string[]> {
  const ours = withoutGitVariables(env);
  const git = openGitCommand(cwd, ours, TIMEOUT_MS);
  const own = await withoutFiltersOf({ run: (args) => git(args), env: ours }, [cwd], ['-C', '/']);
  const { code, stdout } = await git(STATUS, own);
  const ownOutput = ownOutputBelow(cwd);
  return code === 0 ? pathsIn(stdout).filter((path) => !/(^|\/)\.ralph-active$/.test(path) && !ownOutput.includes(path)) : [];
}

/** After a renamed path comes the old path, without status letters. */
function pathsIn(status: string): readonly string[] {
  const fields = status.split('\0');
  return fields.flatMap((field, index) => (field === '' || /^[RC]/.test(fields[index - 1] ?? '') ? [] : [field.slice(3)]));
}
