import type { Scope } from '../kit/async/scope.ts';
import { OperatorError } from '../kit/pure/operator-error.ts';
import { environment } from '../sandbox/environment/environment.ts';
import { type ForeignLock, lockHolder, takeLock } from '../store/lock.ts';
import { makeRunHome, makeRunsFolder, type RunHome, runHome } from '../store/run-home.ts';
import { runLock } from '../store/runs/run-lock.ts';
import { type GitCli, openGitCli } from './git/git-cli.ts';
import { noHigherThan } from './git/git-command.ts';
import { excludeOurFiles } from './git-exclude.ts';

/** A folder in which a loop works: its repository, if it has one, and the folder of its runs. */
export interface Workspace {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly git: GitCli | null;
  readonly home: RunHome;
  /** Throws if another run has the workspace, and names that run. Writes nothing. */
  refuseBusy(): Promise<void>;
  /** Creates the home, for a run that does not hold the workspace. */
  prepare(): Promise<void>;
  /** Creates the home, and locks the workspace and the run for this process. Throws if another process has them. */
  hold(run: string): Promise<void>;
  /** The two locks one by one, for a run that works in another folder than the one it was started in. */
  holdPlace(run: string): Promise<void>;
  holdRun(run: string): Promise<void>;
}

/** Only reads; `hold` does the writing. */
export async function openWorkspace(cwd: string, scope: Scope): Promise<Workspace> {
  const env = environment();
  const git = await openGitCli(cwd, env);
  scope.defer(() => git?.[Symbol.asyncDispose]());
  const home = runHome(cwd, git);
  const prepare = async () => {
    await makeRunHome(home, git);
    if (git) await excludeOurFiles(git.commonDir);
  };
  const holdPlace = async (run: string) => {
    await prepare();
    await hold(home.workspaceLock, run, scope);
  };
  const holdRun = async (run: string) => {
    await makeRunsFolder(home);
    await hold(runLock(home.runsFolder, run), run, scope);
  };
  return {
    cwd,
    env: git === null ? env : noHigherThan(git.topLevel, env),
    git,
    home,
    async refuseBusy() {
      const held = await lockHolder(home.workspaceLock);
      if (held !== null) throw busy(held);
    },
    prepare,
    holdPlace,
    holdRun,
    async hold(run) {
      await holdPlace(run);
      await holdRun(run);
    },
  };
}

async function hold(path: string, run: string, scope: Scope): Promise<void> {
  const lock = await takeLock(path, run);
  if (lock.kind === 'held') throw busy(lock);
  // On a full disk the lock file cannot be removed. The lock is free anyway once this process has ended.
  scope.defer(() => lock.release().catch(() => undefined));
}

function busy({ by, liveness, path }: ForeignLock): OperatorError {
  if (liveness === 'unknown') {
    const what =
      by.pid === 0
        ? `the lock of this directory cannot be read: ${path}`
        : `run ${by.note} holds this directory from another machine or container (pid ${by.pid} on ${by.host}), where nobody here can see it`;
    return new OperatorError('workspace-busy', what, { hint: `If nothing works here any more, remove ${path} and start again.`, exitCode: 4 });
  }
  return new OperatorError('workspace-busy', `run ${by.note} is at work in this directory (pid ${by.pid} on ${by.host})`, {
    hint: 'Wait for it, stop it with Ctrl-C where it runs, or start this one in another worktree.',
    exitCode: 4,
  });
}
