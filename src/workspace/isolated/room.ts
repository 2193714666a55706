import { existsSync, statfsSync } from 'node:fs';
import { lstat, mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import type { SandboxCall, SandboxedCall, SandboxPort, SandboxRefusal } from '../../engine/ports/sandbox.ts';
import { OperatorError } from '../../kit/pure/operator-error.ts';
import { oneLine } from '../../kit/pure/text.ts';
import { withoutGitVariables } from '../../sandbox/environment/environment.ts';
import { findWorkTree, OBEYED } from '../../sandbox/os/work-tree.ts';
import { copySettings, keepOnce, type SettingsPlace, settingsBeside, showOperatorsSettings, takeSettingsBack } from '../agent-settings/shelf.ts';
import { type Git, openGitCommand, type Variables } from '../git/git-command.ts';
import { copyIndex } from '../git/git-scratch.ts';
import { isLockFile } from '../lock-files.ts';
import { makeOwnGit, ownDirOf, ownSettings } from '../own-git/make-own-git.ts';
import { GitTrouble, orTrouble } from '../tasks/locks.ts';
import { bytesAt, type Carrying, carry, found, isSameFile, placed, placedFor } from './carry.ts';
import { bringIgnored, keepWhatStays } from './ignored.ts';
import { bringFolders, type Sides } from './ignored-folders.ts';
import { beginTouched, rememberLanded, rememberTouched } from './landed.ts';
import { type ReaderPlace, type ReadTree, readTree } from './read-tree.ts';
import { clearAway, gitFoldersIn, keepTree, leftLine, makeReadable, readState, type State, writeState } from './room-files.ts';
import { type Change, isAtOrBelow, isRepository, landingOf, listed, namesOf, pathsOf, type TreePath } from './tree-changes.ts';

export interface RoomPlace extends Pick<SettingsPlace, 'obeyed'> {
  /** The top of the operator's work tree, by its real path. */
  readonly root: string;
  readonly commonDir: string;
  /** The operator's environment. */
  readonly env: Variables;
  /** On the disk of the repository, for this run only. It outlives a crash. */
  readonly folder: string;
  /** Without a sandbox: the folder in which processes start, since nothing can be mounted over the usual path. Absent: it is inside `folder`. */
  readonly copy?: string;
  /** Only gates work there. What they leave in ignored folders, they make again. */
  readonly isOfGates?: boolean;
  /** The operator's command for installing packages. Absent: found by the lock file. */
  readonly setup?: string | undefined;
  /** Folders of the work tree whose changes must be visible outside at once, relative to its top. */
  readonly live: readonly string[];
  /** Files of the work tree that no process inside may change. */
  readonly sealed: readonly string[];
  readonly keptBelow: string;
  readonly onRefused: (refusal: SandboxRefusal) => void;
  readonly warn: (text: string) => void;
}

const MOST_KEPT = 20;
const ITS_OWN = 'is a repository of its own: agents and gates have a copy of it, of which nothing comes back';

/** The folder in which the agents of one run work, and the operator's work tree that it replaces. Its callers take turns. */
export interface Room extends RoomPlace {
  readonly tree: string;
  readonly git: Git;
  state: State | null;
  /** What processes share with the operator. */
  shared: readonly TreePath[];
  /** What git ignored in the folder at the last look. */
  ignored: readonly TreePath[];
  readonly toldOf: Set<string>;
}

export function openRoom(place: RoomPlace): Room {
  const env = withoutGitVariables(place.env);
  return {
    ...place,
    env,
    git: openGitCommand(place.root, env),
    tree: place.copy ?? join(place.folder, 'tree'),
    state: null,
    shared: [],
    ignored: [],
    toldOf: new Set(),
  };
}

/** Lands what a dead run left. */
export async function recover(room: Room, wall: SandboxPort): Promise<void> {
  if (room.state !== null) return;
  room.state = await readState(room.folder);
  if (!room.state?.isOut) return;
  if (!existsSync(room.tree)) {
    room.warn(`${room.tree} is gone, and with it what an agent had made there`);
    room.state = null;
    return;
  }
  room.shared = room.state.shared;
  await orRefusal(() => mustLand(room, wall));
}

/** Updates the folder to the operator's files. */
export async function bring(room: Room, wall: SandboxPort): Promise<void> {
  await orRefusal(() => mustBring(room, wall));
}

export async function encloseIn(room: Room, wall: SandboxPort, call: SandboxCall): Promise<SandboxedCall> {
  if (call.who === 'agent') await orRefusal(async () => showOperatorsSettings(settingsBeside(room)));
  placed(room.tree, pathsOf([relative(room.root, call.cwd)].filter((path) => path !== '')));
  return await wall.enclose({ ...call, ownFolder: ownFolderOf(room) });
}

/** Copies the changes in the folder into the operator's work tree. What cannot be read yet stays, and lands before the next process starts. */
export async function land(room: Room, wall: SandboxPort): Promise<void> {
  const done = await orTrouble(() => mustLand(room, wall));
  if (done === undefined) return;
  room.onRefused({ what: 'history', target: `what was made is kept in ${room.tree} until it can be read: ${done.why}` });
}

/** Removes the folder, unless something in it has not landed. */
export async function closeRoom(room: Room): Promise<void> {
  const { folder, tree, state } = room;
  if (state === null || state.isOut) return;
  if (!room.isOfGates) for (const line of await keepWhatStays({ ...state, ...room }, join(dirname(folder), 'ignored'))) room.warn(line);
  for (const path of [dirname(tree), folder]) {
    const left = await clearAway(path, room.env);
    if (left !== null) room.warn(`${path} cannot be removed: ${oneLine(left)}`);
  }
  room.state = null;
}

/** Leaves out shared paths that have no place any more, because the folder around them was moved. */
const ownFolderOf = ({ root, tree, shared }: Room) => ({ folder: tree, shared: namesOf(placedFor(tree, root, shared)) });

async function save(room: Room, state: State): Promise<void> {
  room.state = state;
  await writeState(room.folder, state);
}

type Look = Pick<ReaderPlace, 'index' | 'isBrief'>;

/** here: the operator's files. there: the files of the folder. */
function read(room: Room, wall: SandboxPort, { reader, tree, folders, repositories }: State, { index, isBrief = false }: Look): Promise<ReadTree> {
  const { root, commonDir, folder, env } = room;
  const ownFolder = index === 'there' ? ownFolderOf(room) : undefined;
  return readTree(
    wall,
    {
      ...{ root, commonDir, folder, env, reader, index, ownFolder, isBrief, isTrusted: room.copy !== undefined },
      ...{ ignoredFolders: namesOf(folders), repositories: namesOf(repositories) },
    },
    tree,
  );
}

async function begin({ root, commonDir, folder, tree, git, env, live, copy }: Room): Promise<State> {
  for (const path of [folder, dirname(tree)]) await clearAway(path, env);
  await mkdir(tree, { recursive: true, mode: 0o755 });
  const workTree = await findWorkTree(root, commonDir);
  const operators = { git, commonDir, tree: workTree, settings: await ownSettings(git), isWhole: copy !== undefined };
  const { ownGit: reader } = await makeOwnGit(operators, join(folder, 'reader'));
  // Ralph also looks at files that the operator has told git to skip.
  for (const name of copy === undefined ? ['here', 'there'] : ['here'])
    await copyIndex(join(ownDirOf(reader, workTree.own), 'index'), join(reader.folder, name));
  // A mount needs a place, which cannot be made where the files are read-only.
  if (workTree.gitFile === null) await mkdir(join(tree, '.git'));
  else await writeFile(join(tree, '.git'), '');
  // The loop writes there too.
  const open = pathsOf(live).map((path) => `${path}/`);
  await beginTouched(dirname(folder), open);
  await rememberLanded(folder, open);
  return { tree: '', isOut: false, reader, repositories: [], shared: [], locks: [], folders: [], copied: {} };
}

/** Processes that share the folder of copies with the host could have replaced one by a link, which Ralph would follow. */
async function mustBeFolders({ tree }: Room): Promise<void> {
  for (const path of [dirname(tree), tree])
    if (!(await lstat(path).catch(() => null))?.isDirectory()) throw new GitTrouble(`${path} is no longer the folder that Ralph made`);
}

async function mustBring(room: Room, wall: SandboxPort): Promise<void> {
  room.state ??= await begin(room);
  await mustBeFolders(room);
  await keepOnce(settingsBeside(room).base, (half) => copySettings(room.obeyed, room.root, half));
  if (room.state.isOut) await mustLand(room, wall);
  const before = room.state;
  const seen = await read(room, wall, before, { index: 'here' });
  const repositories = [...new Set([...before.repositories, ...seen.repositories])];
  const ignored = [...seen.ignored, ...repositories.map((path) => `${path}/`)];
  const brought = await bringFolders(pathsOf(room.live), { ignored, known: before.folders }, sidesOf(room));
  room.shared = brought.shared;
  // Processes write into shared folders directly, without a landing.
  await rememberTouched(
    dirname(room.folder),
    brought.shared.filter((path) => !before.shared.includes(path)).map((path) => `${path}/`),
  );
  const known = new Set(before.repositories);
  if (!room.isOfGates) for (const name of namesOf(repositories.filter((path) => !known.has(path)))) room.warn(`${name} ${ITS_OWN}`);
  const wanted = seen.changes.filter((change) => !isRepository(change) && !isAtOrBelow(change.path, room.shared));
  const carrying = { from: room.root, to: room.tree, workshop: null };
  await bringFiles(room, wanted, carrying);
  const copied = await bringIgnored(seen.ignored, before.copied, { ...carrying, shared: room.shared });
  const folders = [...before.folders, ...brought.copied];
  await save(room, { ...before, tree: seen.tree, isOut: true, repositories, shared: room.shared, folders, copied });
}

/** Without a sandbox nothing can be shared. Half-finished copies are beside the copy. */
function sidesOf({ root, tree, folder, copy, env, warn }: Room): Sides {
  if (copy === undefined) return { root, tree, folder, env };
  return { root, tree, folder: dirname(tree), env, onHalf: (name) => warn(`${name} cannot be copied as a whole: agents and gates do without the rest`) };
}

/** Retries what an agent has blocked, by another file or by its permissions. Any file that differs from the operator's would land as a change. */
async function bringFiles({ root, tree, env }: Room, wanted: readonly Change[], carrying: Carrying): Promise<void> {
  const left = (refused: readonly Change[]) => refused.filter(({ path, after }) => found(bytesAt(after === null ? tree : root, path)) !== undefined);
  let refused = left(await carry(wanted, carrying));
  for (const prepare of [async () => undefined, () => makeReadable(tree, env)]) {
    if (refused.length === 0) return;
    await prepare();
    for (const { path } of refused) await rm(bytesAt(tree, path), { recursive: true, force: true }).catch(() => undefined);
    refused = left(await carry(refused, carrying));
  }
  const [first] = namesOf(refused.map(({ path }) => path));
  if (first !== undefined) throw new GitTrouble(`${join(root, first)} cannot be copied to ${tree}`);
}

async function mustLand(room: Room, wall: SandboxPort): Promise<void> {
  const before = room.state;
  if (before === null) return;
  await mustBeFolders(room);
  takeSettingsBack(settingsBeside(room));
  const made = await read(room, wall, before, { index: 'there' });
  await rememberTouched(
    dirname(room.folder),
    made.changes.map(({ path }) => path),
  );
  const mine = made.changes.filter((change) => !isRepository(change) && !isAtOrBelow(change.path, [...room.shared, ...before.repositories]));
  const planted = gitFoldersIn(room.tree, mine);
  const ours = [...OBEYED, ...pathsOf(room.sealed), ...planted];
  const changes = mine.filter(({ path, after }) => !isAtOrBelow(path, after === null ? ours.filter((name) => !planted.includes(name)) : ours));
  const refused = mine
    .filter(({ path, after }) => after !== null && isAtOrBelow(path, ours))
    .map(({ path }) => planted.find((folder) => isAtOrBelow(path, [folder])) ?? path);
  for (const name of namesOf([...new Set(refused)])) room.onRefused({ what: 'planted', target: join(room.root, name) });
  const left = leftLine(made.complaints, room.toldOf);
  if (left !== null) room.onRefused({ what: 'history', target: left });
  if (changes.length > 0) await landChanges(room, wall, before, { ...made, changes });
  room.ignored = made.ignored;
  const locks = [...new Set([...before.locks, ...changes.map(({ path }) => path).filter(isLockFile)])];
  await save(room, { ...before, tree: made.tree, isOut: false, locks });
}

async function landChanges(room: Room, wall: SandboxPort, before: State, made: ReadTree): Promise<void> {
  const { root, tree, folder } = room;
  const meanwhile = await read(room, wall, before, { index: 'here', isBrief: true });
  const { landed, inTheWay } = landingOf(made.changes, meanwhile.changes);
  const isFree = (change: Change) => change.before !== null || (found(bytesAt(root, change.path))?.isDirectory() ?? true);
  const taken = landed.filter((change) => !isFree(change) && !isSameFile(bytesAt(root, change.path), bytesAt(tree, change.path)));
  refuseIfFull(
    root,
    landed.filter(isFree).reduce((sum, { path }) => sum + (found(bytesAt(tree, path))?.size ?? 0), 0),
  );
  // Recorded before it is done: an undo of the run must know all of it.
  await rememberLanded(
    folder,
    landed.map(({ path }) => path),
  );
  const refused = await carry(landed.filter(isFree), { from: tree, to: root, workshop: folder });
  const [changed, blocked] = [listed([...inTheWay, ...taken]), listed(refused)];
  if (changed === null && blocked === null) return;
  const ref = `${room.keptBelow}/${before.tree.slice(0, 8)}-${made.tree.slice(0, 8)}`;
  await keepTree(wall, { ...room, reader: before.reader }, { tree: made.tree, ref });
  const paths = namesOf([...inTheWay, ...taken, ...refused].slice(0, MOST_KEPT).map(({ path }) => path));
  const tell = (line: string) => room.onRefused({ what: 'history', target: oneLine(line), kept: { ref, paths } });
  if (changed !== null) tell(`your own change of ${changed} stays; what an agent made of it meanwhile is kept at ${ref}`);
  if (blocked !== null) tell(`${blocked} cannot be written in your work tree; what an agent made of it is kept at ${ref}`);
}

/** Rather nothing lands than a part. */
function refuseIfFull(root: string, bytes: number): void {
  const { bavail, bsize } = statfsSync(root);
  if (bytes > bavail * bsize) throw new GitTrouble(`the disk of ${root} has no space for the ${Math.ceil(bytes / 1024 ** 2)} MiB of changed files`);
}

async function orRefusal(work: () => Promise<void>): Promise<void> {
  const done = await orTrouble(work);
  if (done === undefined) return;
  throw new OperatorError('workspace-refused', done.why, {
    hint: 'Make space on a full disk, or repair what git complains about, or start with --workspace=place.',
    exitCode: 4,
  });
}
