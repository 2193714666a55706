import { type Dirent, existsSync } from 'node:fs';
import { copyFile, cp, lstat, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { basename, isAbsolute, join, resolve } from 'node:path';
import type { OwnGit } from '../../engine/ports/sandbox.ts';
import { pathExists, readRegular } from '../../kit/files/read.ts';
import type { WorkTree } from '../../sandbox/os/work-tree.ts';
import type { Git } from '../git/git-command.ts';
import { copyIndex } from '../git/git-scratch.ts';
import { must } from '../tasks/locks.ts';

/** A repository whose work tree an agent is about to work in. */
export interface Operators {
  readonly git: Git;
  readonly commonDir: string;
  readonly tree: WorkTree;
  /** Its settings, reduced to what an agent may have: `ownSettings`. */
  readonly settings: string;
  /** Nothing can be mounted: the repository is complete by itself, and is elsewhere. */
  readonly isWhole?: boolean;
}

/** Where the agent sees the operator's objects; git-lfs looks for its own beside them. */
const BORROWED = 'borrowed/objects';
const BORROWED_LFS = 'borrowed/lfs';
/** Unfinished operations: a merge with conflicts is there to be resolved. */
const UNDER_WAY = ['rebase-merge', 'rebase-apply', 'sequencer'];
const NOT_COPIED = /\.lock$|^(?:config|config\.worktree|packed-refs|description|gitk\.cache|FETCH_HEAD)$/;
/** The index of the main work tree is not copied either. */
const NOR_AN_INDEX = new RegExp(`${NOT_COPIED.source}|^index$`);
/** Nor the files that make a folder part of another repository. */
const NOR_A_PART = new RegExp(`${NOT_COPIED.source}|^(?:commondir|gitdir|locked)$`);

/** The folder in the agent's repository for the files of its work tree. */
export function ownDirOf({ folder, borrowed }: Pick<OwnGit, 'folder' | 'borrowed'>, own: string | null): string {
  return own === null || borrowed.length === 0 ? folder : join(folder, 'worktrees', basename(own));
}

/**
 * Makes a repository in `folder` that looks like the operator's and is mounted over it for one process: the same HEAD, index, refs, hooks and settings, and
 * all objects to read. What the process writes there stays there.
 */
export async function makeOwnGit(operators: Operators, folder: string): Promise<{ readonly ownGit: OwnGit; readonly before: Tips }> {
  const { commonDir, tree, settings, isWhole = false } = operators;
  const gitDir = tree.own ?? commonDir;
  const lent = [
    [BORROWED, 'objects'],
    [BORROWED_LFS, 'lfs'],
  ].filter(([, name = '']) => !isWhole && existsSync(join(commonDir, name)));
  const borrowed = lent.map(([path = '', from = '']) => ({ path: join(commonDir, path), from: join(commonDir, from) }));
  const ownDir = ownDirOf({ folder, borrowed }, tree.own);
  for (const name of ['objects/info', 'objects/pack', 'refs/heads', 'refs/tags', 'info', BORROWED, BORROWED_LFS, 'ralph', 'hooks'])
    await mkdir(join(folder, name), { recursive: true });
  await mkdir(ownDir, { recursive: true });
  const tips = await refsOf(commonDir);
  const lenders = await lendersOf(join(commonDir, 'objects'));
  await Promise.all([
    writeFile(join(folder, 'config'), settings),
    writeFile(join(folder, 'packed-refs'), [...tips].map(([ref, id]) => `${id} ${ref}\n`).join('')),
    writeFile(join(folder, 'objects/info/alternates'), [join(commonDir, isWhole ? 'objects' : BORROWED), ...lenders].map((path) => `${path}\n`).join('')),
    copyFilesOf(commonDir, folder, tree.own === null ? NOT_COPIED : NOR_AN_INDEX).then(
      async () => tree.own !== null && (await copyFilesOf(tree.own, ownDir, isWhole ? NOR_A_PART : NOT_COPIED)),
    ),
    copyFilesOf(join(commonDir, 'info'), join(folder, 'info')),
    ...(isWhole ? [copyFilesOf(join(commonDir, 'hooks'), join(folder, 'hooks'), /\.sample$/)] : []),
    ...UNDER_WAY.map((name) => cp(join(gitDir, name), join(ownDir, name), { recursive: true }).catch(() => undefined)),
  ]);
  const head = (await readFile(join(ownDir, 'HEAD'), 'utf8')).trim();
  const ownGit = { folder, borrowed, lenders: isWhole ? [join(commonDir, 'objects'), ...lenders] : lenders };
  return { ownGit, before: { head: head.startsWith('ref: ') ? (tips.get(head.slice(5)) ?? null) : head, tips } };
}

async function copyFilesOf(from: string, to: string, notCopied = NOT_COPIED): Promise<void> {
  const entries = await readdir(from, { withFileTypes: true }).catch(() => []);
  const files = entries.filter((entry) => entry.isFile() && !notCopied.test(entry.name));
  await Promise.all(files.map(({ name }) => (name === 'index' ? copyIndex : copyFile)(join(from, name), join(to, name))));
}

/** The stores from which the operator's objects are borrowed. Git follows such a chain for five steps. */
async function lendersOf(objects: string, depth = 5): Promise<readonly string[]> {
  const text = depth === 0 ? '' : await readFile(join(objects, 'info/alternates'), 'utf8').catch(() => '');
  const named = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  const paths = named.map((path) => (isAbsolute(path) ? path : resolve(objects, path)));
  return [...paths, ...(await Promise.all(paths.map((path) => lendersOf(path, depth - 1)))).flat()];
}

/** Sections that say what files, commits and git's own output look like. Any other may contain a secret, such as `github.token`, or lead elsewhere. */
const PASSED = new Set(
  `advice alias apply author blame branch checkout clean color column commit committer core diff difftool extensions feature fetch filter format gc gpg grep hooks
  i18n index init interactive lfs log merge mergetool notes pack pager pull push rebase remote rerere reset sequence showbranch sparse stash status submodule tag
  trailer user versionsort worktree`.split(/\s+/),
);
/** Keys of these that lead elsewhere, or start something that would have to run outside. */
const LEFT_OUT =
  /^core\.(?:worktree|fsmonitor|sshcommand|gitproxy|askpass)$|^extensions\.worktreeconfig$|^remote\..*\.(?:pushurl|proxy\w*|receivepack|uploadpack|vcs)$/;
const isPassed = (key: string) => PASSED.has(key.slice(0, key.indexOf('.'))) && !LEFT_OUT.test(key);
/** There are no keys for signing inside, whatever the operator's settings say. */
const UNSIGNED = '[commit]\n\tgpgSign = false\n[tag]\n\tgpgSign = false\n\tforceSignAnnotated = false\n';
const NO_PUSH = '/dev/null/a-push-is-the-work-of-the-operator';

/** Those settings of a repository that an agent may have, as a separate file. No address has a password in it. */
export async function ownSettings(git: Git, canSign = false): Promise<string> {
  const listed = must(await git(['config', '--list', '--show-scope', '-z']), 'the settings of git cannot be read');
  const fields = listed.split('\0');
  const own = fields.filter((_, index) => index % 2 === 1 && ['local', 'worktree'].includes(fields[index - 1] ?? ''));
  const lines = own.map((field) => field.split(/\n(.*)/s, 2)).flatMap(([key = '', value]) => (isPassed(key) ? settingLines(key, value) : []));
  return [...lines, canSign ? '' : UNSIGNED].join('');
}

function settingLines(key: string, value: string | undefined): readonly string[] {
  const [first, last] = [key.indexOf('.'), key.lastIndexOf('.')];
  const [section, middle, name] = [key.slice(0, first), key.slice(first + 1, Math.max(first, last)), key.slice(last + 1)];
  const head = `[${section}${first === last ? '' : ` "${middle.replaceAll(/["\\]/g, '\\$&')}"`}]\n`;
  const plain = value?.replace(/^(\w+:\/\/)[^/@]*@/, '$1');
  const push = section === 'remote' && name === 'url' ? `\tpushurl = ${NO_PUSH}\n` : '';
  return [`${head}\t${name}${plain === undefined ? '' : ` = ${quoted(plain)}`}\n${push}`];
}

function quoted(value: string): string {
  return `"${value.replaceAll(/["\\]/g, '\\$&').replaceAll('\n', '\\n').replaceAll('\t', '\\t')}"`;
}

/** The state of a repository: the commit of HEAD, null before the first, and the object of each ref. */
export interface Tips {
  readonly head: string | null;
  readonly tips: ReadonlyMap<string, string>;
}

/** Without Ralph's own. Read as text, like those of an agent: a process starts often, and git would be asked each time. */
async function refsOf(commonDir: string): Promise<ReadonlyMap<string, string>> {
  // In this order: git may pack one just now.
  const loose = await looseRefs(commonDir, Number.POSITIVE_INFINITY);
  const all = new Map([...packedRefs(commonDir), ...loose]);
  const named = [...all].map(([ref, id]) => [ref, id.startsWith('ref: ') ? (all.get(id.slice('ref: '.length)) ?? '') : id] as const);
  return new Map(named.filter(([ref, id]) => isObjectId(id) && !ref.startsWith('refs/ralph/')).toSorted(([one], [other]) => (one < other ? -1 : 1)));
}

const MOST_REFS = 2_000;

/** Reads them as text. Ralph's git never opens a repository that an agent could write, because its contents may be anything. */
export async function readTips(folder: string, ownDir: string): Promise<Tips> {
  const tips = new Map(packedRefs(folder));
  for (const [ref, id] of await looseRefs(folder, MOST_REFS)) if (isObjectId(id)) tips.set(ref, id);
  const head = (readRegular(join(ownDir, 'HEAD')) ?? '').trim();
  return { head: head.startsWith('ref: ') ? (tips.get(head.slice(5).trim()) ?? null) : isObjectId(head) ? head : null, tips };
}

function packedRefs(folder: string): readonly (readonly [string, string])[] {
  const lines = (readRegular(join(folder, 'packed-refs')) ?? '').split('\n');
  return lines.flatMap((line) => {
    const [id = '', ref = '', ...more] = line.split(' ');
    return isObjectId(id) && isRef(ref) && more.length === 0 ? [[ref, id] as const] : [];
  });
}

/** A symbolic ref has another ref as its value. Stops after `most`, whatever an agent put there. */
async function looseRefs(folder: string, most: number): Promise<readonly (readonly [string, string])[]> {
  const found: (readonly [string, string])[] = [];
  const folders = ['refs'];
  for (const name of folders) {
    const entries = (await entriesOf(join(folder, name))).slice(0, most);
    folders.push(...entries.filter((entry) => entry.isDirectory()).map((entry) => `${name}/${entry.name}`));
    found.push(...entries.filter((entry) => entry.isFile()).flatMap((entry) => looseRef(folder, `${name}/${entry.name}`)));
    if (found.length + folders.length > most) break;
  }
  return found;
}

function looseRef(folder: string, ref: string): readonly (readonly [string, string])[] {
  const value = isRef(ref) ? (readRegular(join(folder, ref)) ?? '').trim() : '';
  return value === '' ? [] : [[ref, value]];
}

/** Never follows a link, which may lead anywhere. */
async function entriesOf(folder: string): Promise<readonly Dirent[]> {
  const isFolder = (await lstat(folder).catch(() => null))?.isDirectory() === true;
  return isFolder ? await readdir(folder, { withFileTypes: true }).catch(() => []) : [];
}

const isObjectId = (text: string) => /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(text);

/** Names that git accepts, except those with a special meaning. */
function isRef(ref: string): boolean {
  return /^refs\/[^\0-\x20\x7f~^:?*[\\]+$/.test(ref) && !/\.\.|@\{|\/\/|\/\.|\.lock(?:\/|$)|[./]$/.test(ref);
}

/** Submodules would need their own repositories, and refs of a reftable are not files. */
const SHARED = ['modules', 'reftable'];

/** False: agents share such a repository directly. */
export async function canHaveOwnGit(commonDir: string): Promise<boolean> {
  const found = await Promise.all(SHARED.map((name) => pathExists(join(commonDir, name))));
  return !found.includes(true);
}
