import { realpath } from 'node:fs/promises';
import { join, relative } from 'node:path';
import type { SandboxPort, SandboxRefusal } from '../../engine/ports/sandbox.ts';
import type { Scope } from '../../kit/async/scope.ts';
import { copyFolderOf } from '../../workspace/copy/copy-folder.ts';
import { openCopy } from '../../workspace/copy/open-copy.ts';
import { type Isolated, openIsolated } from '../../workspace/isolated/isolated-around.ts';
import { rememberAllTouched, rememberTouched } from '../../workspace/isolated/landed.ts';
import { pathsOf } from '../../workspace/isolated/tree-changes.ts';
import { canHaveOwnGit } from '../../workspace/own-git/can-have-own-git.ts';
import { openOwnGits } from '../../workspace/own-git/own-git-around.ts';
import type { OpenedRun } from '../opened-run.ts';
import { warnFunctionOf } from '../run-options.ts';
import { obeyedIn } from './open-sandbox.ts';

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
  if (settings.wall.workspace === 'copy') return await openInCopy(hand, request);
  const commonDir = await commonDirOfItsOwn(hand);
  if (commonDir !== null) return await openBehindMounts(hand, request, commonDir);
  // The settings are those of the start, and an isolated folder is no longer possible.
  if (settings.wall.workspace === 'isolated') await rememberAllTouched(runFolder);
  return IN_PLACE;
}

async function openInCopy(
  { workspace, runFolder, options, settings }: OpenedRun,
  { runId, scope, onRefused, filters }: WorkspaceWish,
): Promise<AgentWorkspace> {
  const { git, env, cwd, home } = workspace;
  if (git === null) throw new Error('Only a work tree of git can be copied.');
  const [root, commonDir] = [await realpath(git.topLevel), await realpath(git.commonDir)];
  const copy = copyFolderOf({ topLevel: root, commonDir }, runId);
  const sealed = [...filters, ...obeyedIn(relative(root, await realpath(cwd)))];
  const opened = await openCopy({
    ...{ root, commonDir, env, runFolder, copy, runId, sealed, onRefused, isShared: settings.wall.mode === 'docker' },
    ...{ viewFolder: home.viewFolder, warn: warnFunctionOf(options) },
  });
  scope.defer(() => opened[Symbol.asyncDispose]());
  return { around: opened.around, copy };
}

/**
 * Null where agents share the operator's repository: a sandbox that cannot mount, gates on the host, a task whose children share one work tree, and repositories
 * that Ralph cannot give out twice.
 */
async function commonDirOfItsOwn({ workspace: { git }, settings }: OpenedRun): Promise<string | null> {
  const { mode, gates } = settings.wall;
  if (git === null || process.platform !== 'linux' || mode !== 'os' || gates !== 'inside' || settings.supervise !== null) return null;
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
  return openIsolated({
    ...{ root, commonDir, env, onRefused, warn: warnFunctionOf(options), folder: join(runFolder, 'isolated'), keptBelow: `refs/ralph/kept/${runId}/files` },
    // The loop reads the plan while an agent fills it in.
    live: settings.stories === null ? [] : [settings.stories.folder],
    sealed: [...filters, ...obeyedIn(relative(root, await realpath(cwd)))],
  });
}
