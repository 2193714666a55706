import { randomUUID } from 'node:crypto';
import { lstat, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { OwnGit, SandboxCall, SandboxedCall, SandboxPort, SandboxRefusal } from '../../engine/ports/sandbox.ts';
import { OperatorError } from '../../kit/pure/operator-error.ts';
import { withoutGitVariables } from '../../sandbox/environment/environment.ts';
import { findWorkTree, type WorkTree } from '../../sandbox/os/work-tree.ts';
import { type Git, openGitCommand, type Variables } from '../git/git-command.ts';
import { GitTrouble, orTrouble } from '../tasks/locks.ts';
import { bringLfs } from './bring-lfs.ts';
import { type Crossing, cross } from './cross.ts';
import { makeOwnGit, ownDirOf, ownSettings, readTips, type Tips } from './make-own-git.ts';
import { packBehind } from './run-behind.ts';

export interface OwnGitPlace {
  readonly commonDir: string;
  /** The operator's environment. */
  readonly env: Variables;
  /** The folder of the agents' repositories while they run, on the disk of the objects. */
  readonly folder: string;
  readonly keptBelow: string;
  /** Files of a work tree that no commit of an agent may change, relative to its top. */
  readonly sealed?: readonly string[];
  /** Whether the files are copies with the same times. Git would otherwise take them for changed and read them all again. */
  readonly areCopies?: boolean;
  /** Nothing can be mounted: the repositories are complete by themselves. Without a sandbox the signing keys are available. */
  readonly areWhole?: boolean;
  /** The folder that a sandbox shares with the host, where the repositories have to be. Absent: they are in `folder`. */
  readonly sharedFolder?: string | undefined;
  readonly onRefused: (refusal: SandboxRefusal) => void;
  /** Called with all paths that commits of agents change, before the commits become visible. */
  readonly touches?: Crossing['touches'];
}

/** Written beside an agent's repository, so that Ralph can bring over its commits after a crash. */
interface AtWork {
  readonly root: string;
  readonly own: string | null;
  readonly head: string | null;
  readonly tips: readonly (readonly [string, string])[];
  readonly ownGit: OwnGit;
}

/** Given the sandbox itself, and the sandbox with its own folder if there is one. */
export type OwnGits = (wall: SandboxPort, around?: SandboxPort) => Promise<SandboxPort>;

/**
 * Gives every process of a sandbox a repository of its own. It can commit, rebase and delete there as it likes without touching the operator's repository. When
 * it has ended, Ralph brings its commits over.
 */
export function openOwnGits(place: OwnGitPlace): OwnGits {
  const env = withoutGitVariables(place.env);
  const settings = once(async (git: Git) => `${await ownSettings(git, place.areWhole && place.sharedFolder === undefined)}${place.areCopies ? COPIES : ''}`);
  // Before the first process of this sitting, only a crash can have left something there.
  const leftOver = once(async (wall: SandboxPort) => {
    await mkdir(place.folder, { recursive: true, mode: 0o700 });
    for (const name of await readdir(place.folder)) await bringOverLeft(wall, place, join(place.folder, name));
  });
  return async (wall, around = wall) => {
    await leftOver(wall);
    return ownGitAround({ wall, around }, { ...place, env, settings });
  };
}

const COPIES = '[core]\n\tcheckStat = minimal\n\ttrustctime = false\n';

function once<A extends readonly unknown[], T>(work: (...args: A) => Promise<T>): (...args: A) => Promise<T> {
  let result: Promise<T> | null = null;
  return (...args) => {
    result ??= work(...args);
    return result;
  };
}

function ownGitAround(
  { wall, around }: { readonly wall: SandboxPort; readonly around: SandboxPort },
  place: OwnGitPlace & { readonly settings: (git: Git) => Promise<string> },
): SandboxPort {
  const { commonDir, folder, env, settings, areWhole: isWhole = false } = place;
  const open = async (tree: WorkTree, call: SandboxCall): Promise<SandboxedCall> => {
    const git = openGitCommand(tree.root, env);
    const at = join(folder, randomUUID());
    await mkdir(at, { recursive: true });
    const repository = join(await realFolder(place.sharedFolder ?? folder), basename(at), 'git');
    const { ownGit, before } = await makeOwnGit({ git, commonDir, tree, settings: await settings(git), isWhole }, repository);
    const work: AtWork = { root: tree.root, own: tree.own, head: before.head, tips: [...before.tips], ownGit };
    // A judge has nothing to commit, and commits in a temporary copy are not wanted.
    const isKept = !call.judges && call.ownFolder === undefined && call.sealed === undefined;
    if (isKept) await writeFile(join(at, 'work.json'), JSON.stringify(work));
    const enclosed = await around.enclose({ ...call, ownGit });
    return {
      ...enclosed,
      async leave() {
        await enclosed.leave();
        if (isKept) await bringOver(wall, place, { at, work });
        else await removeWork({ at, work });
      },
    };
  };
  return {
    mode: wall.mode,
    async enclose(call) {
      const tree = await findWorkTree(call.cwd, commonDir);
      if (tree.kind === 'none') return await around.enclose(call);
      const opened = await orTrouble(() => open(tree, call));
      if (!('kind' in opened)) return opened;
      throw new OperatorError('git-refused', opened.why, { hint: 'Run `git status` there and repair what it complains about.', exitCode: 4 });
    },
  };
}

/** A process in the sandbox could have replaced the folder by a link. */
async function realFolder(folder: string): Promise<string> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  if (!(await lstat(folder)).isDirectory()) throw new GitTrouble(`${folder} is no longer a folder`);
  return folder;
}

async function removeWork({ at, work }: Left): Promise<void> {
  for (const path of [dirname(work.ownGit.folder), at]) await rm(path, { recursive: true, force: true, maxRetries: 3 });
}

interface Left {
  readonly at: string;
  readonly work: AtWork;
}

/** Commits that cannot be brought over stay where they are, and Ralph says so. The files of the work tree are there in any case. */
async function bringOver(
  wall: SandboxPort,
  { commonDir, env, keptBelow, sealed = [], touches = null, onRefused }: OwnGitPlace,
  { at, work }: Left,
): Promise<void> {
  const { root, own, head, tips, ownGit } = work;
  const done = await orTrouble(async () => {
    const after: Tips = await readTips(ownGit.folder, ownDirOf(ownGit, own));
    await bringLfs(ownGit.folder, commonDir);
    const told = await cross({
      git: openGitCommand(root, withoutGitVariables(env)),
      ...{ root, commonDir, gitDir: own ?? commonDir, before: { head, tips: new Map(tips) }, after, sealed, touches, folder: at },
      keptBelow: `${keptBelow}/${basename(at).slice(0, 8)}`,
      pack: (revisions, file) => packBehind(wall, { root, env, ownGit }, revisions, file),
    });
    for (const target of told) onRefused({ what: 'history', target });
  });
  if (done !== undefined) onRefused({ what: 'history', target: `${done.why}; the agent's repository is kept in ${dirname(ownGit.folder)}` });
  else await removeWork({ at, work }).catch(() => undefined);
}

/** Brings over what an agent had committed before its run died. */
async function bringOverLeft(wall: SandboxPort, place: OwnGitPlace, at: string): Promise<void> {
  const left = await readWork(join(at, 'work.json'));
  // The run died before it started its agent.
  if (left === null) return await rm(at, { recursive: true, force: true });
  await bringOver(wall, place, { at, work: left });
}

async function readWork(path: string): Promise<AtWork | null> {
  try {
    const work = JSON.parse(await readFile(path, 'utf8')) as AtWork;
    // Files of older versions, without git-lfs, have one folder here instead of a list.
    return { ...work, ownGit: { ...work.ownGit, borrowed: [work.ownGit.borrowed].flat() } };
  } catch {
    return null;
  }
}
