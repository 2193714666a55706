import { createHash } from 'node:crypto';
import { constants } from 'node:fs';
import { access, mkdir, realpath } from 'node:fs/promises';
import { totalmem } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { accountVariables, modelHosts } from '../../agents/agent-access.ts';
import { definitions } from '../../agents/definitions.ts';
import { definitionOfKind } from '../../agents/find-definition.ts';
import { HOOK_ENTRY } from '../../door/answer-hooks/hook-command.ts';
import type { SandboxPort, SandboxRefusal } from '../../engine/ports/sandbox.ts';
import { packagePath } from '../../kit/files/package-root.ts';
import { OperatorError } from '../../kit/pure/operator-error.ts';
import { agentsIn } from '../../limits/agents.ts';
import { OBEYED } from '../../sandbox/os/work-tree.ts';
import { taskSpecOf, taskWorktreesOf } from '../../settings/schema/recipe-facts.ts';
import type { RunSettings } from '../../settings/schema/run-settings.ts';
import { taskRunsFolder } from '../../store/lock-task-folder.ts';
import { PROJECT_BUS } from '../../store/task-place.ts';
import { cacheFolder, configFolder, runtimeFolder } from '../../store/user-folders.ts';
import { copiesOf } from '../../workspace/copy/copy-folder.ts';
import type { GitCli } from '../../workspace/git/git-cli.ts';
import { gatesFolderOf } from '../../workspace/isolated/landed.ts';
import { trackedDots } from '../../workspace/tracked-files.ts';
import type { Workspace } from '../../workspace/workspace.ts';
import { realHome } from './why-not-isolated.ts';

/** The package that agents call as `ralph`, with its dependencies. Needed also when a package manager keeps it in a cache that is replaced inside the sandbox. */
const PACKAGE = packagePath();
const OURSELVES = basename(dirname(PACKAGE)) === 'node_modules' ? [dirname(PACKAGE)] : [PACKAGE];

const LOGINS = definitions.map(({ login }) => login);

interface SandboxPlace {
  readonly workspace: Workspace;
  readonly settings: RunSettings;
  readonly runFolder: string;
  readonly warn: (text: string) => void;
  /** Files of the work tree that the operator's git executes outside the sandbox, relative to the top of the work tree. */
  readonly filters: readonly string[];
  /** Whether another run asked for this one; then it is inside the same sandbox. */
  readonly isChild: boolean;
}

interface SandboxOptions {
  /** Unique among all open sandboxes. */
  readonly name: string;
  readonly doors: readonly string[];
  readonly onRefused: (refusal: SandboxRefusal) => void;
}

/** Null without a sandbox. */
export async function openSandbox(place: SandboxPlace, agentKind: string, request: SandboxOptions): Promise<(SandboxPort & AsyncDisposable) | null> {
  const { mode } = place.settings.wall;
  if (mode === 'guard') return null;
  return mode === 'os' ? await openOs(place, agentKind, request) : await openDocker(place, agentKind, request);
}

async function openOs({ settings, workspace, runFolder, filters }: SandboxPlace, agentKind: string, { name, doors, onRefused }: SandboxOptions) {
  const { env, cwd, git, home } = workspace;
  const { openOsSandbox: openOsWall } = await import('../../sandbox/os/open-os-sandbox.ts');
  const homeFolder = await realHome();
  return await openOsWall({
    home: homeFolder,
    tracked: git !== null && git.topLevel === homeFolder ? await trackedDots(git.topLevel, env) : [],
    commonDir: git && (await realpath(git.commonDir)),
    sealed: [runFolder, home.runsFolder, ...obeyedIn(cwd), ...sealedOfTask(settings)],
    sealedBelow: filters,
    writable: [...settings.wall.writable, ...writableOfTask(settings), ...projectBusOf(settings)],
    readable: [...settings.wall.readable, ...OURSELVES],
    // A test runner that searches everywhere would find the tests of the agent's folder a second time.
    hidden: [
      join(runFolder, 'isolated'),
      gatesFolderOf(join(runFolder, 'isolated')),
      ...(settings.wall.hidden ?? []),
      ...[configFolder(env)].flatMap((folder) => folder ?? []),
    ],
    sockets: doors,
    login: definitionOfKind(agentKind).login,
    logins: LOGINS,
    hosts: hostsOf(settings, agentKind, env),
    socketPath: join(runtimeFolder(env), 'ralph-doors', `${name}.net`),
    cacheFolder: await cachesOf(git?.topLevel ?? cwd, env, runFolder),
    upstream: env,
    limits: { memoryBytes: settings.wall.maxMemory ?? usualMemory(), processes: settings.wall.maxProcesses ?? USUAL_PROCESSES },
    onRefused,
  });
}

const USUAL_PROCESSES = 4096;
/** Three quarters of what this machine, or its container, has. */
const usualMemory = () => Math.floor(0.75 * Math.min(totalmem(), process.constrainedMemory() || Number.POSITIVE_INFINITY));

async function openDocker({ settings, workspace, warn, isChild }: SandboxPlace, agentKind: string, { onRefused }: SandboxOptions) {
  const { env, cwd, git, home } = workspace;
  const [{ findDocker }, { openDockerSandbox: openDockerWall }] = await Promise.all([
    import('../../sandbox/docker/find-docker.ts'),
    import('../../sandbox/docker/open-docker-sandbox.ts'),
  ]);
  const cli = await findDocker(env, cwd);
  const homeFolder = await realHome();
  if (cli === null || homeFolder === null) throw gone(cli === null ? 'its command no longer exists' : 'the home folder is unknown');
  const project = git?.topLevel ?? cwd;
  const inPlace = {
    ...{ project, shares: 'project' as const },
    extraPaths: [...[taskWorktreesOf(settings, project) ?? []].flat(), ...settings.wall.writable, ...writableOfTask(settings)],
    readOnlyPaths: [home.viewFolder, ...(git === null ? [] : ['config', 'hooks', 'ralph'].map((name) => join(git.commonDir, name))), ...sealedOfTask(settings)],
  };
  return await openDockerWall({
    cli,
    ...(git !== null && settings.wall.workspace === 'copy' ? await sharingCopies(git, settings) : inPlace),
    agentKind,
    template: definitionOfKind(agentKind).dockerTemplate,
    logins: LOGINS,
    hosts: hostsOf(settings, agentKind, env),
    home: homeFolder,
    hookEntry: HOOK_ENTRY,
    env,
    alone: !isChild,
    warn,
    onRefused,
  });
}

/** Nothing of the operator's repository or work tree is in a sandbox whose agents work in a copy. */
async function sharingCopies(git: Pick<GitCli, 'topLevel' | 'commonDir'>, { wall }: RunSettings) {
  const project = copiesOf({ topLevel: await realpath(git.topLevel), commonDir: await realpath(git.commonDir) });
  await mkdir(project, { recursive: true });
  return { project, shares: 'copies' as const, extraPaths: wall.writable, readOnlyPaths: [] };
}

/** The files that Ralph obeys in its start directory, which need not be the top of a work tree. */
export function obeyedIn(cwd: string): readonly string[] {
  return OBEYED.map((name) => join(cwd, name));
}

/** One cache for each project; one for each run when there is no home, or it is not writable. */
async function cachesOf(project: string, env: Readonly<Record<string, string>>, runFolder: string): Promise<string> {
  const folder = join(cacheFolder(env), 'sandbox', createHash('sha256').update(project).digest('hex').slice(0, 16));
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await access(folder, constants.W_OK);
    return folder;
  } catch {
    return join(runFolder, 'caches');
  }
}

/** Two accounts of one agent may have their model at different addresses. */
function hostsOf(settings: RunSettings, agentKind: string, env: Readonly<Record<string, string>>): readonly string[] {
  const accounts = agentsIn(settings).filter(({ kind }) => kind === agentKind);
  const ofAccounts = accounts.flatMap((agent) => modelHosts(agentKind, { ...env, ...accountVariables(agent.env, env) }));
  return [...new Set([...modelHosts(agentKind, env), ...ofAccounts, ...settings.wall.hosts])];
}

/** The agent writes DONE there, and posts on the bus by hand when it cannot reach its loop. */
function writableOfTask(settings: RunSettings): readonly string[] {
  return [taskSpecOf(settings)?.folder ?? []].flat();
}

function projectBusOf(settings: RunSettings): readonly string[] {
  return writableOfTask(settings).map((folder) => join(dirname(folder), PROJECT_BUS));
}

function sealedOfTask(settings: RunSettings): readonly string[] {
  return writableOfTask(settings).flatMap((folder) => [taskRunsFolder(folder), join(folder, 'TASK-CONFIG.yaml')]);
}

function gone(why: string): OperatorError {
  return new OperatorError('sandbox-unavailable', `the sandbox "docker" is not available: ${why}`, {
    hint: 'Install sbx, or choose --sandbox=os.',
    exitCode: 4,
  });
}
