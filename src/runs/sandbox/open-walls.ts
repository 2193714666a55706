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

interface WallWish {
  readonly runId: string;
  /** Where the run answers, and where the one answers that it came from. */
  readonly doors: readonly string[];
  readonly scope: Scope;
  readonly onRefused: (refusal: WallRefusal) => void;
}

/** What stands around the agents of a run, and around its gates. */
export interface Walls {
  /** Each kind of agent has its own login and its own model. */
  readonly around: (agentKind: string) => Promise<WallPort>;
  readonly gates: WallPort;
  /** What git obeys, where those behind a wall could write it; null: they cannot, or nothing is promised. */
  readonly pins: Pins | null;
  /** Where agents work, if that is a copy of the work tree. */
  readonly copy: string | null;
}

/** Opens the wall of the settings, never another one. All of it is closed with the scope. */
export async function openWalls(hand: RunAtHand, wish: WallWish): Promise<Walls> {
  const { settings, workspace, runFolder, options } = hand;
  const { onRefused } = wish;
  const filters = await filtersIn(workspace, settings);
  if (settings.wall.workspace === 'copy') return await wallsOfCopy(hand, wish, filters);
  const place = { workspace, settings, runFolder, filters, warn: warner(options), isChild: settings.supervise?.parent != null };
  const commonDir = await commonDirOfItsOwn(hand);
  const isolated = commonDir === null ? null : await isolatedOf(hand, wish, filters);
  const ownGit =
    commonDir === null
      ? null
      : ownGitOf(hand, wish, { commonDir, sealed: [...filters, ...(isolated === null ? [] : obeyedIn(''))], areCopies: isolated !== null });
  // The settings are those of the start: it cannot be had any more.
  if (isolated === null && settings.wall.workspace === 'isolated') await rememberAllTouched(runFolder);
  if (isolated !== null) wish.scope.defer(() => isolated[Symbol.asyncDispose]());
  const pins = ownGit === null ? await pinsOf(hand, settings.wall) : null;
  const guard = openGuardWall();
  const opened = new Map<string, Promise<WallPort>>();
  const open = async (agentKind: string): Promise<WallPort> => {
    const wall = await openWall(place, agentKind, { ...wish, name: `${wish.runId}-${agentKind}` });
    if (wall === null) return guard;
    wish.scope.defer(() => wall[Symbol.asyncDispose]());
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

async function wallsOfCopy({ workspace, runFolder, options }: RunAtHand, { runId, scope, onRefused }: WallWish, filters: readonly string[]): Promise<Walls> {
  const { git, env, cwd, home } = workspace;
  if (git === null) throw new Error('A copy is made of a work tree of git.');
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

/** They matter where a sandbox stands between what is inside and the operator's git. */
async function filtersIn({ git, env }: Workspace, { wall }: RunSettings): Promise<readonly string[]> {
  return git === null || (wall.mode !== 'os' && wall.workspace !== 'copy') ? [] : await filterFiles(git.topLevel, env);
}

/** Null where agents share the operator's repository: where they are told to, where children share one work tree with their root, and what cannot be had twice. */
async function commonDirOfItsOwn({ workspace: { git }, settings }: RunAtHand): Promise<string | null> {
  const { mode, gates } = settings.wall;
  if (git === null || process.platform !== 'linux' || mode !== 'os' || gates !== 'inside' || settings.supervise !== null) return null;
  const commonDir = await realpath(git.commonDir);
  return (await canHaveOwnGit(commonDir)) ? commonDir : null;
}

type OwnGitKind = Pick<OwnGitPlace, 'commonDir' | 'sealed' | 'areCopies'>;

function ownGitOf({ workspace: { env }, runFolder }: RunAtHand, { runId, onRefused }: WallWish, kind: OwnGitKind): OwnGits {
  // Of work in place nobody can tell by its commits alone.
  const touches = kind.areCopies ? (names: readonly string[]) => rememberTouched(runFolder, pathsOf(names)) : null;
  return openOwnGits({ ...kind, env, folder: join(runFolder, 'gits'), keptBelow: `refs/ralph/kept/${runId}/git`, touches, onRefused });
}

/** Null where agents work in the operator's files. */
async function isolatedOf(
  { workspace: { git, env, cwd }, runFolder, settings, options }: RunAtHand,
  { runId, onRefused }: WallWish,
  filters: readonly string[],
): Promise<Isolated | null> {
  if (git === null || settings.wall.workspace !== 'isolated') return null;
  const root = await realpath(git.topLevel);
  return openIsolated({
    ...{ root, commonDir: await realpath(git.commonDir), env, onRefused, warn: warner(options) },
    folder: join(runFolder, 'isolated'),
    // The loop reads the plan while an agent fills it in.
    live: settings.stories === null ? [] : [settings.stories.folder],
    sealed: [...filters, ...obeyedIn(relative(root, await realpath(cwd)))],
    keptBelow: `refs/ralph/kept/${runId}/files`,
  });
}

async function pinsOf({ workspace: { git, cwd, env }, runFolder }: RunAtHand, { mode, gates }: WallSpec): Promise<Pins | null> {
  // Who runs as the operator can write all of it at any time.
  if (git === null || mode === 'guard' || gates === 'host') return null;
  const { commonDir, gitDir, topLevel } = git;
  // Only the wall of the operating system keeps them from being written.
  const agentsReach = mode === 'os' ? 'new-files' : 'everything';
  return await openPins({ commonDir, gitDir, topLevel, cwd, env, runFolder, agentsReach });
}

/** What stands around all that runs what an agent wrote, and what it finds in its environment. On the host it finds everything. */
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

/** What stands around the setup of a worktree before its run is at work: what it runs may have been written by the agents of earlier runs. Null: nothing. */
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

/** What the words of an SCM find in their environment. They run outside of the wall, with the operator's keys: no hook that an agent may have written runs with them. */
export async function hostEnvironment({ workspace, settings, options }: RunAtHand): Promise<Readonly<Record<string, string>>> {
  const { scm, wall } = settings;
  if (scm === null || workspace.git === null || wall.mode === 'guard' || wall.gates === 'host') return workspace.env;
  const { env, silenced } = await workspace.git.outside(workspace.env);
  if (silenced !== null && scm.tasks.some((task) => task !== 'commit')) {
    warner(options)(
      `hooks in ${silenced} do not run with ${scm.tasks.filter((task) => task !== 'commit').join(', ')}: an agent could have written them, and that runs outside of the sandbox`,
    );
  }
  return env;
}
