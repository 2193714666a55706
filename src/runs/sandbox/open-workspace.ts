import { realpath } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { definitions } from '../../agents/definitions.ts';
import type { SandboxPort, SandboxRefusal } from '../../engine/ports/sandbox.ts';
import type { Scope } from '../../kit/async/scope.ts';
import { factsOf, storiesSpecOf, workSpecOf } from '../../settings/schema/recipe-facts.ts';
import type { WorkSpec } from '../../settings/schema/work-spec.ts';
import { openSettingsInWorktrees } from '../../workspace/agent-settings/settings-in-worktrees.ts';
import { copyFolderOf } from '../../workspace/copy/copy-folder.ts';
import { openCopy } from '../../workspace/copy/open-copy.ts';
import { type Isolated, openIsolated } from '../../workspace/isolated/isolated-around.ts';
import { rememberAllTouched, rememberTouched } from '../../workspace/isolated/landed.ts';
import { pathsOf } from '../../workspace/isolated/tree-changes.ts';
import { canHaveOwnGit } from '../../workspace/own-git/make-own-git.ts';
import { openOwnGits } from '../../workspace/own-git/own-git-around.ts';
import type { OpenedRun } from '../opened-run.ts';
import { warnFunctionOf } from '../run-options.ts';
import { obeyedIn } from './open-sandbox.ts';

/** What any agent obeys in the folder where it starts and in those above it, by paths below the top of the work tree. A run may have several agents. */
function obeyedByAgents(below: string): readonly string[] {
  const parts = below === '' ? [] : below.split('/');
  const folders = ['', ...parts.map((_, index) => parts.slice(0, index + 1).join('/'))];
  const names = [...new Set(definitions.flatMap(({ obeys }) => obeys))];
  // `.agents` contains `.agents/skills`.
  const outer = names.filter((name) => !names.some((other) => name.startsWith(`${other}/`)));
  return folders.flatMap((folder) => outer.map((name) => join(folder, name)));
}

/** Where the processes of a run work, and which repository they see. */
export interface AgentWorkspace {
  /** Makes every process of a sandbox work there. */
  around(sandbox: SandboxPort): Promise<SandboxPort>;
  /** The folder they work in, if it is a copy of the work tree. */
  readonly copy: string | null;
}

interface WorkspaceWish {
  readonly runId: string;
  readonly scope: Scope;
  readonly onRefused: (refusal: SandboxRefusal) => void;
  /** Files of the work tree that the operator's git runs, by their paths below its top. */
  readonly filters: readonly string[];
}

/** The operator's own files and repository. */
const IN_PLACE: AgentWorkspace = { around: async (sandbox) => sandbox, copy: null };

/** Opens the kind of workspace that the settings name. It is closed with the scope. */
export async function openAgentWorkspace(hand: OpenedRun, request: WorkspaceWish): Promise<AgentWorkspace> {
  const { settings, runFolder } = hand;
  const work = workSpecOf(settings);
  if (work) return await openInWorktrees(hand, request, work);
  if (settings.wall.workspace === 'copy') return await openInCopy(hand, request);
  const commonDir = await commonDirOfItsOwn(hand);
  if (commonDir !== null) return await openBehindMounts(hand, request, commonDir);
  // The settings are those of the start, and an isolated folder is no longer possible.
  if (settings.wall.workspace === 'isolated') await rememberAllTouched(runFolder);
  return IN_PLACE;
}

/** Each task has a worktree. Behind the os sandbox a process has a repository of its own besides. */
async function openInWorktrees(hand: OpenedRun, request: WorkspaceWish, { base: branch, worktree }: WorkSpec): Promise<AgentWorkspace> {
  const { git, cwd, env } = hand.workspace;
  if (git === null) return IN_PLACE;
  const [root, below] = [await realpath(git.topLevel), relative(await realpath(git.topLevel), await realpath(cwd))];
  const settings = { base: join(hand.runFolder, 'agent-settings'), obeyed: obeyedByAgents(below) };
  const inWorktrees = openSettingsInWorktrees({ root, cwd, env, branch, commonDir: await realpath(git.commonDir), brought: worktree, ...settings });
  const commonDir = await commonDirOfItsOwn(hand);
  const { around } = commonDir === null ? IN_PLACE : await openBehindMounts(hand, request, commonDir);
  return { around: async (sandbox) => inWorktrees(await around(sandbox)), copy: null };
}

async function openInCopy(
  { workspace, runFolder, options, settings }: OpenedRun,
  { runId, scope, onRefused, filters }: WorkspaceWish,
): Promise<AgentWorkspace> {
  const { git, env, cwd, home } = workspace;
  if (git === null) throw new Error('Only a work tree of git can be copied.');
  const [root, commonDir] = [await realpath(git.topLevel), await realpath(git.commonDir)];
  const copy = copyFolderOf({ topLevel: root, commonDir }, runId);
  const below = relative(root, await realpath(cwd));
  const sealed = [...filters, ...obeyedIn(below)];
  const opened = await openCopy({
    ...{ root, commonDir, env, runFolder, copy, runId, sealed, onRefused, obeyed: obeyedByAgents(below), isShared: settings.wall.mode === 'docker' },
    ...{ viewFolder: home.viewFolder, warn: warnFunctionOf(options) },
  });
  scope.defer(() => opened[Symbol.asyncDispose]());
  return { around: opened.around, copy };
}

/**
 * Null where agents share the operator's repository: a sandbox that cannot mount, gates on the host, a task whose children share one work tree, and repositories
 * that Ralph cannot give out twice.
 */
export async function commonDirOfItsOwn({ workspace: { git }, settings }: Pick<OpenedRun, 'workspace' | 'settings'>): Promise<string | null> {
  const { mode, gates } = settings.wall;
  if (git === null || process.platform !== 'linux' || mode !== 'os' || gates !== 'inside' || factsOf(settings).place === 'task folder') return null;
  const commonDir = await realpath(git.commonDir);
  return (await canHaveOwnGit(commonDir)) ? commonDir : null;
}

/** A repository of its own for each process, mounted over the operator's; and a folder of the run, mounted over the work tree, if the settings say so. */
async function openBehindMounts(hand: OpenedRun, request: WorkspaceWish, commonDir: string): Promise<AgentWorkspace> {
  const { runFolder } = hand;
  const { runId, scope, onRefused, filters } = request;
  const isolated = await isolatedOf(hand, request, commonDir);
  if (isolated !== null) scope.defer(() => isolated[Symbol.asyncDispose]());
  const isIsolated = isolated !== null;
  const ownGits = openOwnGits({
    ...{ commonDir, env: hand.workspace.env, onRefused, areCopies: isIsolated, folder: join(runFolder, 'gits'), keptBelow: `refs/ralph/kept/${runId}/git` },
    sealed: [...filters, ...(isIsolated ? obeyedIn('') : [])],
    // Commits alone do not tell which files an agent touched in place.
    touches: isIsolated ? (names: readonly string[]) => rememberTouched(runFolder, pathsOf(names)) : null,
  });
  return { around: async (sandbox) => await ownGits(sandbox, await isolated?.around(sandbox)), copy: null };
}

/** Null where agents work in the operator's files. */
async function isolatedOf(hand: OpenedRun, { runId, onRefused, filters }: WorkspaceWish, commonDir: string): Promise<Isolated | null> {
  const { workspace, runFolder, settings, options } = hand;
  const { git, env, cwd } = workspace;
  if (git === null || settings.wall.workspace !== 'isolated') return null;
  const root = await realpath(git.topLevel);
  const below = relative(root, await realpath(cwd));
  return openIsolated({
    ...{ root, commonDir, env, onRefused, warn: warnFunctionOf(options), folder: join(runFolder, 'isolated'), keptBelow: `refs/ralph/kept/${runId}/files` },
    // The loop reads the plan while an agent fills it in.
    live: [storiesSpecOf(settings)?.folder ?? []].flat(),
    sealed: [...filters, ...obeyedIn(below)],
    obeyed: obeyedByAgents(below),
    setup: settings.setup,
  });
}
