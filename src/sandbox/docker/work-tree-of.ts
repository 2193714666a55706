import { capture } from '../../process/capture.ts';
import { withoutGitVariables } from '../../kit/pure/without-git-variables.ts';
import type { Variables } from './docker-cli.ts';

const ANSWERED_WITHIN_MS = 30_000;

/** The top of the work tree a folder lies in; the folder itself without git. */
export async function workTreeOf(cwd: string, env: Variables): Promise<string> {
  const args = ['-c', 'core.fsmonitor=false', 'rev-parse', '--show-toplevel'];
  const { code, stdout } = await capture({ file: 'git', args, cwd, env: withoutGitVariables(env), timeoutMs: ANSWERED_WITHIN_MS });
  return code === 0 ? stdout.replace(/\n$/, '') : cwd;
}
