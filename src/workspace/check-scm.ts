import { OperatorError } from '../kit/pure/operator-error.ts';
import { findExecutable } from '../process/find-executable.ts';
import type { RunSettings } from '../settings/schema/run-settings.ts';
import { isCommit, isGit, wordsIn } from '../settings/schema/scm-words.ts';
import type { Workspace } from './workspace.ts';

/** Refuses SCM tasks that can never succeed here, so that the operator learns it before the run and not after it. */
export async function checkScm({ scm }: RunSettings, { git, env, cwd }: Workspace): Promise<void> {
  if (scm === null) return;
  const [file = ''] = wordsIn(scm.command);
  const path = env['PATH'];
  if (path !== undefined && (await findExecutable(file, { path, cwd })) === null) {
    throw refused(`the SCM command "${file}" was not found`, 'Install it, or change scm.command in .ralph/settings.json.');
  }
  if (!isGit(scm)) return;
  if (git === null) throw refused('commits need a git repository, and this is none', 'Run `git init`, or leave out --commit and scm in .ralph/settings.json.');
  const obstacle = scm.tasks.some(isCommit) ? await git.obstacle(wordsIn(scm.command)) : null;
  if (obstacle !== null) throw refused(`nothing can be committed here: ${obstacle}`, 'Mend that first, or remove scm from .ralph/settings.json.');
}

function refused(message: string, hint: string): OperatorError {
  return new OperatorError('scm-impossible', message, { hint, exitCode: 4 });
}
