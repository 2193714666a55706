import { join } from 'node:path';
import { NOBODY } from '../../agents/agent-access.ts';
import type { SandboxPort, SandboxRefusal } from '../../engine/ports/sandbox.ts';
import type { Scope } from '../../kit/async/scope.ts';
import { withoutSecretVariables } from '../../people/notify/secrets.ts';
import { gateEnvironment } from '../../sandbox/environment/gate-environment.ts';
import { openNoSandbox } from '../../sandbox/in-sandbox.ts';
import { isChildRun, taskSpecOf } from '../../settings/schema/recipe-facts.ts';
import type { RunSettings } from '../../settings/schema/run-settings.ts';
import type { Behind } from '../../workspace/git/git-place.ts';
import { readGitPrograms } from '../../workspace/git/git-programs.ts';
import type { Workspace } from '../../workspace/workspace.ts';
import type { OpenedRun } from '../opened-run.ts';
import { warnFunctionOf } from '../run-options.ts';
import { openSandbox } from './open-sandbox.ts';
import { openAgentWorkspace } from './open-workspace.ts';

interface WallWish {
  readonly runId: string;
  /** The socket of this run, and that of the run that started it. */
  readonly doors: readonly string[];
  readonly scope: Scope;
  readonly onRefused: (refusal: SandboxRefusal) => void;
}

/** The sandboxes of a run. */
export interface Sandboxes {
  /** Each kind of agent has its own login and its own model hosts. */
  readonly sandboxFor: (agentKind: string) => Promise<SandboxPort>;
  readonly gates: SandboxPort;
  /** The folder agents work in, if it is a copy of the work tree. */
  readonly copy: string | null;
}

/** Opens the sandbox that the settings name, never another one. All of it is closed with the scope. */
export async function openSandboxes(hand: OpenedRun, request: WallWish): Promise<Sandboxes> {
  const { settings, workspace, runFolder, options } = hand;
  const filters = await filtersIn(workspace, settings);
  const place = { workspace, settings, runFolder, filters, warn: warnFunctionOf(options), isChild: isChildRun(settings) };
  const kind = await openAgentWorkspace(hand, { ...request, filters });
  const guard = openNoSandbox();
  const opened = new Map<string, Promise<SandboxPort>>();
  const open = async (agentKind: string): Promise<SandboxPort> => {
    const sandbox = await openSandbox(place, agentKind, { ...request, name: `${request.runId}-${agentKind}` });
    if (sandbox !== null) request.scope.defer(() => sandbox[Symbol.asyncDispose]());
    return await kind.around(sandbox ?? guard);
  };
  const around = (name: string) => {
    const agentKind = settings.wall.login === 'none' ? NOBODY : name;
    const known = opened.get(agentKind) ?? open(agentKind);
    opened.set(agentKind, known);
    return known;
  };
  return { sandboxFor: around, gates: settings.wall.gates === 'host' ? guard : await around(settings.agent.kind), copy: kind.copy };
}

/** They matter where a sandbox or a copy separates agents from the operator's git. */
async function filtersIn({ git, env }: Workspace, { wall }: RunSettings): Promise<readonly string[]> {
  return git === null || (wall.mode !== 'os' && wall.workspace !== 'copy') ? [] : (await readGitPrograms(git.topLevel, env)).files;
}

/** The sandbox and environment of gates and hooks, which run code that agents wrote. On the host they have the whole environment. */
export function gatesSandbox({ workspace, settings }: Pick<OpenedRun, 'workspace' | 'settings'>, { gates }: Sandboxes): Behind {
  const { wall } = settings;
  const task = taskSpecOf(settings);
  const env = wall.gates === 'host' ? workspace.env : gateEnvironment(workspace.env, wall.env);
  return { wall: gates, env: { ...env, ...(task && { TASK_FOLDER: task.folder }) } };
}

interface SetupPlace {
  readonly run: string;
  readonly scope: Scope;
  readonly warn: (text: string) => void;
}

/** The sandbox of a worktree's setup command, which may run code that agents of earlier runs wrote. Null: no sandbox. */
export async function setupSandbox(opened: Workspace, settings: RunSettings, { run, scope, warn }: SetupPlace): Promise<Behind | null> {
  if (settings.wall.gates === 'host') return null;
  const workspace = settings.notify === undefined ? opened : { ...opened, env: withoutSecretVariables(settings.notify, opened.env) };
  const onRefused = ({ target }: { readonly target: string }) =>
    warn(`the sandbox refused worktree.setup a connection to ${target}; sandbox.allowHosts allows it`);
  // What the setup installs has to be in the worktree itself.
  const wall = await sandboxInPlace(workspace, settings, { run: `${run}-setup`, runFolder: join(workspace.home.runsFolder, run), scope, warn, onRefused });
  return wall && { wall, env: gateEnvironment(workspace.env, settings.wall.env) };
}

interface InPlace extends SetupPlace {
  readonly runFolder: string;
  readonly onRefused: (refusal: SandboxRefusal) => void;
  /** Absent: the agent of the settings. */
  readonly agentKind?: string;
}

/** The sandbox of a process that works in the operator's files, whatever the settings say of agents. It is closed with the scope. Null: no sandbox. */
export async function sandboxInPlace(workspace: Workspace, settings: RunSettings, around: InPlace): Promise<SandboxPort | null> {
  const { run, runFolder, scope, warn, onRefused, agentKind = settings.agent.kind } = around;
  const inPlace: RunSettings = { ...settings, wall: { ...settings.wall, workspace: 'place' } };
  const place = { workspace, settings: inPlace, filters: await filtersIn(workspace, settings), runFolder, warn, isChild: false };
  const wall = await openSandbox(place, agentKind, { name: run, doors: [], onRefused });
  if (wall !== null) scope.defer(() => wall[Symbol.asyncDispose]());
  return wall;
}

/** The environment of SCM commands such as a push. They run outside the sandbox, with the operator's keys, so no hook that an agent may have written runs with them. */
export async function hostEnvironment({ workspace, settings, options }: OpenedRun): Promise<Readonly<Record<string, string>>> {
  const { scm, wall } = settings;
  if (scm === null || workspace.git === null || wall.mode === 'guard' || wall.gates === 'host') return workspace.env;
  const { env, silenced } = await workspace.git.outside(workspace.env);
  if (silenced !== null && scm.tasks.some((task) => task !== 'commit')) {
    warnFunctionOf(options)(
      `hooks in ${silenced} do not run with ${scm.tasks.filter((task) => task !== 'commit').join(', ')}: an agent could have written them, and they would run outside the sandbox`,
    );
  }
  return env;
}
