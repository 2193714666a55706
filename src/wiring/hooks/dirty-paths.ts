import { capture } from '../../kit/process/capture.ts';
import { withoutGitVariables } from '../../kit/pure/without-git-variables.ts';

/** A hook has not long; a repository that takes longer blocks nobody. */
const TIMEOUT_MS = 15_000;

/** Without the index being written, which the agent's own git may be at, and without starting what the configuration names. */
const STATUS = ['--no-optional-locks', '-c', 'core.fsmonitor=false', 'status', '--porcelain', '-z'];

/** What is not committed, without the marker of the loop; nothing where git cannot say. */
export async function dirtyPaths(cwd: string, env: Readonly<Record<string, string>>): Promise<readonly string[]> {
  const { code, stdout } = await capture({ file: 'git', args: STATUS, cwd, env: withoutGitVariables(env), timeoutMs: TIMEOUT_MS });
  return code === 0 ? pathsIn(stdout).filter((path) => !/(^|\/)\.ralph-active$/.test(path)) : [];
}

/** A path that was renamed is followed by the old one, which has no letters before it. */
function pathsIn(status: string): readonly string[] {
  const fields = status.split('\0');
  return fields.flatMap((field, index) => (field === '' || /^[RC]/.test(fields[index - 1] ?? '') ? [] : [field.slice(3)]));
}
