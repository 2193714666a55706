import { existsSync } from 'node:fs';
import { copyFile, cp, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { basename, isAbsolute, join, resolve } from 'node:path';
import type { OwnGit } from '../../engine/ports/sandbox.ts';
import type { WorkTree } from '../../sandbox/os/work-tree.ts';
import type { Git } from '../git/git-command.ts';
import { copyIndex } from '../git/git-scratch.ts';
import { must } from '../tasks/locks.ts';
import type { Tips } from './tips.ts';

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
  const { git, commonDir, tree, settings, isWhole = false } = operators;
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
  const listed = must(await git(['for-each-ref', '--format=%(objectname) %(refname)']), 'the branches cannot be listed');
  const refs = listed.split('\n').filter((line) => line !== '' && !line.includes(' refs/ralph/'));
  const lenders = await lendersOf(join(commonDir, 'objects'));
  await Promise.all([
    writeFile(join(folder, 'config'), settings),
    writeFile(join(folder, 'packed-refs'), refs.map((line) => `${line}\n`).join('')),
    writeFile(join(folder, 'objects/info/alternates'), [join(commonDir, isWhole ? 'objects' : BORROWED), ...lenders].map((path) => `${path}\n`).join('')),
    copyFilesOf(commonDir, folder, tree.own === null ? NOT_COPIED : NOR_AN_INDEX).then(
      async () => tree.own !== null && (await copyFilesOf(tree.own, ownDir, isWhole ? NOR_A_PART : NOT_COPIED)),
    ),
    copyFilesOf(join(commonDir, 'info'), join(folder, 'info')),
    ...(isWhole ? [copyFilesOf(join(commonDir, 'hooks'), join(folder, 'hooks'), /\.sample$/)] : []),
    ...UNDER_WAY.map((name) => cp(join(gitDir, name), join(ownDir, name), { recursive: true }).catch(() => undefined)),
  ]);
  const tips = new Map(refs.map((line) => line.split(' ')).map(([id = '', ref = '']) => [ref, id]));
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

/** Keys that lead elsewhere, contain a secret, or start something that would have to run outside. */
const LEFT_OUT =
  /^(?:credential|include|includeif|url)\.|^http\.|^core\.(?:worktree|fsmonitor|sshcommand|gitproxy|askpass)$|^extensions\.worktreeconfig$|^remote\..*\.(?:pushurl|proxy)$/;
/** There are no keys for signing inside, whatever the operator's settings say. */
const UNSIGNED = '[commit]\n\tgpgSign = false\n[tag]\n\tgpgSign = false\n\tforceSignAnnotated = false\n';
const NO_PUSH = '/dev/null/a-push-is-the-work-of-the-operator';

/** The settings of a repository as a separate file, without what an agent must not have. */
export async function ownSettings(git: Git, canSign = false): Promise<string> {
  const listed = must(await git(['config', '--list', '--show-scope', '-z']), 'the settings of git cannot be read');
  const fields = listed.split('\0');
  const own = fields.filter((_, index) => index % 2 === 1 && ['local', 'worktree'].includes(fields[index - 1] ?? ''));
  const lines = own.map((field) => field.split(/\n(.*)/s, 2)).flatMap(([key = '', value]) => (LEFT_OUT.test(key) ? [] : settingLines(key, value)));
  return [...lines, canSign ? '' : UNSIGNED].join('');
}

function settingLines(key: string, value: string | undefined): readonly string[] {
  const [first, last] = [key.indexOf('.'), key.lastIndexOf('.')];
  const [section, middle, name] = [key.slice(0, first), key.slice(first + 1, Math.max(first, last)), key.slice(last + 1)];
  const head = `[${section}${first === last ? '' : ` "${middle.replaceAll(/["\\]/g, '\\$&')}"`}]\n`;
  if (section !== 'remote' || name !== 'url' || value === undefined) return [`${head}\t${name}${value === undefined ? '' : ` = ${quoted(value)}`}\n`];
  return [`${head}\turl = ${quoted(value.replace(/^(\w+:\/\/)[^/@]*@/, '$1'))}\n\tpushurl = ${NO_PUSH}\n`];
}

function quoted(value: string): string {
  return `"${value.replaceAll(/["\\]/g, '\\$&').replaceAll('\n', '\\n').replaceAll('\t', '\\t')}"`;
}
