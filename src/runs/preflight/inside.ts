import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { SandboxCall, SandboxPort } from '../../engine/ports/sandbox.ts';
import { openScope, type Scope } from '../../kit/async/scope.ts';
import { OperatorError } from '../../kit/pure/operator-error.ts';
import { type Captured, capture } from '../../process/capture.ts';
import { makeTemporaryFolder } from '../../process/temporary-folder.ts';
import { inSandbox } from '../../sandbox/in-sandbox.ts';
import { isOfSystem } from '../../sandbox/os/home-rules.ts';
import { openOwnGits } from '../../workspace/own-git/own-git-around.ts';
import { sandboxInPlace } from '../sandbox/open-sandboxes.ts';
import { commonDirOfItsOwn } from '../sandbox/open-workspace.ts';
import type { PlannedRun } from './finding.ts';

interface Script extends Pick<SandboxCall, 'who' | 'env' | 'programs'> {
  readonly agentKind?: string;
  readonly script: string;
  readonly args?: readonly string[];
  /** Whether the process has a git of its own, as agents of this run have. Whatever it does there is discarded. */
  readonly ownGit?: boolean;
}

/** Long enough to type a passphrase into a window that opens. */
export const WITHIN_MS = 30_000;

/** Runs a shell script of Ralph's where a process of this run would run: in its sandbox and with its environment. */
export async function runInside({ agentKind, script, args = [], ownGit = false, ...call }: Script, run: PlannedRun): Promise<Captured> {
  await using scope = openScope();
  try {
    const wall = await openWall(run, scope, { ownGit, ...(agentKind !== undefined && { agentKind }) });
    // As a judge, because nothing that it does to the work tree or to git is kept.
    const all = { ...call, file: '/bin/sh', args: ['-c', script, 'sh', ...args], cwd: run.workspace.cwd, judges: true, isOffline: true };
    await using enclosed = await inSandbox(wall ?? undefined, all);
    return await capture({ ...enclosed.process, timeoutMs: WITHIN_MS, signal: run.signal, marker: `preflight/${randomUUID()}` });
  } catch (error) {
    if (!(error instanceof OperatorError)) throw error;
    return { code: null, started: false, stdout: '', stderr: error.message };
  }
}

async function openWall(run: PlannedRun, scope: Scope, wish: { readonly ownGit: boolean; readonly agentKind?: string }): Promise<SandboxPort | null> {
  const { workspace, settings } = run;
  const name = `preflight-${randomUUID().slice(0, 8)}`;
  const quiet = { warn: () => undefined, onRefused: () => undefined };
  const { ownGit, ...kind } = wish;
  const wall = await sandboxInPlace(workspace, settings, { run: name, runFolder: join(workspace.home.runsFolder, name), scope, ...quiet, ...kind });
  const commonDir = wall === null || !ownGit ? null : await commonDirOfItsOwn(run);
  if (wall === null || commonDir === null) return wall;
  const folder = await makeTemporaryFolder('preflight');
  scope.defer(() => rm(folder, { recursive: true, force: true }));
  return await openOwnGits({ commonDir, env: workspace.env, folder, keptBelow: `refs/ralph/kept/${name}`, onRefused: quiet.onRefused })(wall);
}

interface Program {
  /** As the command line has it. */
  readonly word: string;
  /** Its real path. */
  readonly file: string;
}

/** The programs among these that exist on this machine, but not for a process in the os sandbox. */
export async function hiddenPrograms<P extends Program>(programs: readonly P[], call: Omit<Script, 'script' | 'args'>, run: PlannedRun): Promise<readonly P[]> {
  const { mode, hidden = [] } = run.settings.wall;
  // What belongs to the system is shown unless the operator hides it, so most runs need not ask.
  const doubtful = programs.filter(({ file }) => mode === 'os' && (hidden.length > 0 || !isOfSystem(file)));
  if (doubtful.length === 0) return [];
  const script = 'for word; do command -v "$word" >/dev/null 2>&1 || printf "%s\\n" "$word"; done';
  const { code, stdout } = await runInside({ ...call, script, args: [...new Set(doubtful.map(({ word }) => word))] }, run);
  const missing = new Set(code === 0 ? stdout.split('\n') : []);
  return doubtful.filter(({ word }) => missing.has(word));
}

/** What the operator can do about a hidden program. */
export const showIt = ({ file }: Pick<Program, 'file'>) =>
  `Show its folder to the sandbox, in .ralph/settings.json: {"sandbox": {"readable": [${JSON.stringify(dirname(file))}]}}.`;
