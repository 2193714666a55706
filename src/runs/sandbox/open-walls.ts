import { realpath } from 'node:fs/promises';
import { join, relative } from 'node:path';
import type { WallPort, WallRefusal } from '../../engine/ports/wall.ts';
import type { Scope } from '../../kit/async/scope.ts';
import { gateEnvironment } from '../../sandbox/environment/agent-environment.ts';
import { NOBODY } from '../../sandbox/environment/vendor-variables.ts';
import { openGuardWall } from '../../sandbox/open-guard-wall.ts';
import type { RunSettings } from '../../settings/schema/run-settings.ts';
import type { WallSpec } from '../../settings/schema/wall.ts';
import { copyFolderOf, openCopy } from '../../workspace/copy/open-copy.ts';
import { filterFiles } from '../../workspace/filter-files.ts';
import type { Behind } from '../../workspace/git/git-place.ts';
import { type Isolated, openIsolated } from '../../workspace/isolated/isolated-around.ts';
import { rememberAllTouched, rememberTouched } from '../../workspace/isolated/landed.ts';
import { pathsOf } from '../../workspace/isolated/tree-changes.ts';
import { canHaveOwnGit } from '../../workspace/own-git/can-have-own-git.ts';
import { type OwnGitPlace, type OwnGits, openOwnGits } from '../../workspace/own-git/own-git-around.ts';
import { openPins, type Pins } from '../../workspace/pins/pinned-config.ts';
import { pinsAround } from '../../workspace/pins/pins-around.ts';
import type { Workspace } from '../../workspace/workspace.ts';
import type { RunAtHand } from '../run-at-hand.ts';
import { warner } from '../run-options.ts';
import { obeyedIn, openWall } from './open-wall.ts';

interface SandboxOptions {
  readonly runId: string;
  /** The sockets of this run and of its parent. */
  readonly doors: readonly string[];
  readonly scope: Scope;
  readonly onRefused: (refusal: WallRefusal) => void;
}

/** The sandboxes of a run, for its agents and its gates. */
export interface Walls {
  /** Each kind of agent has its own login and its own model hosts. */
  readonly around: (agentKind: string) => Promise<WallPort>;
  readonly gates: WallPort;
  /** Reverts unexpected changes to files that git obeys. Null when sandboxed processes cannot write them, or when there is no such promise. */
  readonly pins: Pins | null;
  /** The copy of the work tree in which agents work; null when there is none. */
  readonly copy: string | null;
}

/** Opens exactly the sandbox of the settings. The scope closes all of it. */
export async function openWalls(openedRun: RunAtHand, request: SandboxOptions): Promise<Walls> {
  const { settings, workspace, runFolder, options } = openedRun;
  const { onRefused } = request;
  const filters = await filtersIn(workspace, settings);
  if (settings.wall.workspace === 'copy') return await sandboxesOfCopy(openedRun, request, filters);
  const place = { workspace, settings, runFolder, filters, warn: warner(options), isChild: settings.supervise?.parent != null };
  const commonDir = await commonDirOfItsOwn(openedRun);
  const isolated = commonDir === null ? null : await isolatedOf(openedRun, request, filters);
  const ownGit =
    commonDir === null
      ? null
      : ownGitOf(openedRun, request, { commonDir, sealed: [...filters, ...(isolated === null ? [] : obeyedIn(''))], areCopies: isolated !== null });
  // The settings come from the start of the run, but the isolated folder is no longer available.
  if (isolated === null && settings.wall.workspace === 'isolated') await rememberAllTouched(runFolder);
  if (isolated !== null) request.scope.defer(() => isolated[Symbol.asyncDispose]());
  const pins = ownGit === null ? await pinsOf(openedRun, settings.wall) : null;
  const guard = openGuardWall();
  const opened = new Map<string, Promise<WallPort>>();
  const open = async (agentKind: string): Promise<WallPort> => {
    const wall = await openWall(place, agentKind, { ...request, name: `${request.runId}-${agentKind}` });
    if (wall === null) return guard;
    request.scope.defer(() => wall[Symbol.asyncDispose]());
    if (ownGit !== null) return await ownGit(wall, await isolated?.around(wall));
    return pins === null ? wall : pinsAround(wall, pins, onRefused);
  };
  const around = (kind: string) => {
    const agentKind = settings.wall.login === 'none' ? NOBODY : kind;
    const known = opened.get(agentKind) ?? open(agentKind);
    opened.set(agentKind, known);
    return known;
  };
  return { around, gates: settings.wall.gates === 'host' ? guard : await around(settings.agent.kind), pins, copy: null };
}

async function sandboxesOfCopy(
  { workspace, runFolder, options }: RunAtHand,
  { runId, scope, onRefused }: SandboxOptions,
  filters: readonly string[],
): Promise<Walls> {
  const { git, env, cwd, home } = workspace;
  if (git === null) throw new Error('A copy needs a git work tree.');
  const [root, commonDir] = [await realpath(git.topLevel), await realpath(git.commonDir)];
  const copy = copyFolderOf({ topLevel: root, commonDir }, runId);
  const sealed = [...filters, ...obeyedIn(relative(root, await realpath(cwd)))];
  const outside = openGuardWall();
  const opened = await openCopy({
    ...{ root, commonDir, env, runFolder, copy, runId, sealed, outside, onRefused },
    ...{ viewFolder: home.viewFolder, warn: warner(options) },
  });
  scope.defer(() => opened[Symbol.asyncDispose]());
  return { around: async () => opened.wall, gates: opened.wall, pins: null, copy };
}

/** They matter when a sandbox separates agents from the operator's git. */
async function filtersIn({ git, env }: Workspace, { wall }: RunSettings): Promise<readonly string[]> {
  return git === null || (wall.mode !== 'os' && wall.workspace !== 'copy') ? [] : await filterFiles(git.topLevel, env);
}

/** Null when agents share the operator's repository: in place, when children share a work tree with their root, and when the repository cannot be duplicated. */
async function commonDirOfItsOwn({ workspace: { git }, settings }: RunAtHand): Promise<string | null> {
  const { mode, gates } = settings.wall;
  if (git === null || process.platform !== 'linux' || mode !== 'os' || gates !== 'inside' || settings.supervise !== null) return null;
  const commonDir = await realpath(git.commonDir);
  return (await canHaveOwnGit(commonDir)) ? commonDir : null;
}

type OwnGitKind = Pick<OwnGitPlace, 'commonDir' | 'sealed' | 'areCopies'>;

function ownGitOf({ workspace: { env }, runFolder }: RunAtHand, { runId, onRefused }: SandboxOptions, kind: OwnGitKind): OwnGits {
  // For work in place, the commits alone do not show which files agents touched.
  const touches = kind.areCopies ? (names: readonly string[]) => rememberTouched(runFolder, pathsOf(names)) : null;
  return openOwnGits({ ...kind, env, folder: join(runFolder, 'gits'), keptBelow: `refs/ralph/kept/${runId}/git`, touches, onRefused });
}

/** Null when agents work in the operator's files. */
async function isolatedOf(
  { workspace: { git, env, cwd }, runFolder, settings, options }: RunAtHand,
  { runId, onRefused }: SandboxOptions,
  filters: readonly string[],
): Promise<Isolated | null> {
  if (git === null || settings.wall.workspace !== 'isolated') return null;
  const root = await realpath(git.topLevel);
  return openIsolated({
    ...{ root, commonDir: await realpath(git.commonDir), env, onRefused, warn: warner(options) },
    folder: join(runFolder, 'isolated'),
    // The loop reads the plan while an agent edits it.
    live: settings.stories === null ? [] : [settings.stories.folder],
    sealed: [...filters, ...obeyedIn(relative(root, await realpath(cwd)))],
    keptBelow: `refs/ralph/kept/${runId}/files`,
  });
}

async function pinsOf({ workspace: { git, cwd, env }, runFolder }: RunAtHand, { mode, gates }: WallSpec): Promise<Pins | null> {
  // A process that runs as the operator can change these files at any time, so pins would be pointless.
  if (git === null || mode === 'guard' || gates === 'host') return null;
  const { commonDir, gitDir, topLevel } = git;
  // Only the OS sandbox prevents writes to these files.
  const agentsReach = mode === 'os' ? 'new-files' : 'everything';
  return await openPins({ commonDir, gitDir, topLevel, cwd, env, runFolder, agentsReach });
}

/** The sandbox and the environment for everything that runs code an agent wrote. On the host, the environment is complete. */
export function behindGates({ workspace, settings }: Pick<RunAtHand, 'workspace' | 'settings'>, { gates }: Walls): Behind {
  const { wall, supervise } = settings;
  const env = wall.gates === 'host' ? workspace.env : gateEnvironment(workspace.env, wall.env);
  return { wall: gates, env: { ...env, ...(supervise && { TASK_FOLDER: supervise.folder }) } };
}

interface SetupPlace {
  readonly run: string;
  readonly scope: Scope;
  readonly warn: (text: string) => void;
}

/** The sandbox for the setup of a worktree before its run starts: setup may run code that agents of earlier runs wrote. Null: no sandbox. */
export async function behindSetup(workspace: Workspace, settings: RunSettings, { run, scope, warn }: SetupPlace): Promise<Behind | null> {
  if (settings.wall.gates === 'host') return null;
  const onRefused = ({ target }: { readonly target: string }) =>
    warn(`the sandbox refused worktree.setup a connection to ${target}; sandbox.allowHosts allows it`);
  const filters = await filtersIn(workspace, settings);
  const place = { workspace, settings, filters, runFolder: join(workspace.home.runsFolder, run), warn, isChild: false };
  const wall = await openWall(place, settings.agent.kind, { name: `${run}-setup`, doors: [], onRefused });
  if (wall === null) return null;
  scope.defer(() => wall[Symbol.asyncDispose]());
  return { wall, env: gateEnvironment(workspace.env, settings.wall.env) };
}

/** The environment of SCM commands. They run outside the sandbox with the operator's keys, so hooks that an agent may have written are disabled. */
export async function hostEnvironment({ workspace, settings, options }: RunAtHand): Promise<Readonly<Record<string, string>>> {
  const { scm, wall } = settings;
  if (scm === null || workspace.git === null || wall.mode === 'guard' || wall.gates === 'host') return workspace.env;
  const { env, silenced } = await workspace.git.outside(workspace.env);
  if (silenced !== null && scm.tasks.some((task) => task !== 'commit')) {
    warner(options)(
      `hooks in ${silenced} do not run with ${scm.tasks.filter((task) => task !== 'commit').join(', ')}: an agent could have written them, and they would run outside the sandbox`,
    );
  }
  return env;
}
