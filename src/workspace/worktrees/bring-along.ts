import { constants } from 'node:fs';
import { cp, mkdir, realpath, stat, symlink } from 'node:fs/promises';
import { dirname, join, relative, resolve } from 'node:path';
import { isInside, pathExists } from '../../kit/files/read.ts';
import { OperatorError } from '../../kit/pure/operator-error.ts';

export interface WantedWorktree {
  /** The text that its name is made from. */
  readonly title: string;
  /** The folder for it; null: beside the repository. */
  readonly root: string | null;
  /** Untracked paths to bring along. */
  readonly copy: readonly string[];
  readonly link: readonly string[];
  /** Runs in it before anything else. */
  readonly setup: { readonly command: string; readonly timeoutMs: number } | null;
}

export interface Journey {
  /** The operator's current folder; relative paths start there. */
  readonly cwd: string;
  /** The top of the operator's work tree, and of the new one. */
  readonly from: string;
  readonly to: string;
}

type How = 'copy' | 'link';

/**
 * Copies and links untracked paths to the same places in the new worktree, and returns them relative to its top. Warns about a missing path and leaves it
 * out; refuses a path outside the repository, or one that git has checked out already.
 */
export async function bringAlong(wanted: Pick<WantedWorktree, How>, journey: Journey, warn: (text: string) => void): Promise<readonly string[]> {
  const brought: string[] = [];
  for (const how of ['copy', 'link'] as const) {
    for (const path of wanted[how]) {
      const source = await sourceOf(path, how, journey);
      if (!(await pathExists(source))) warn(`worktree.${how}: ${path} is not there, so it does not come along`);
      else brought.push(await bring(source, how, journey));
    }
  }
  return brought;
}

/** A folder may be a link that leads anywhere, so the real location of the path counts. The last part may be a link: it stays one. */
async function sourceOf(path: string, how: How, { cwd, from }: Journey): Promise<string> {
  const source = resolve(cwd, path);
  const parent = await realpath(dirname(source)).catch(() => dirname(source));
  const real = join(parent, relative(dirname(source), source));
  if (!isInside(from, real)) throw refused(how, `${path} is not inside of the repository ${from}`, 'Name paths of untracked files or folders inside of it.');
  if (relative(from, real).split(/[\\/]/).includes('.git')) throw refused(how, `${path} belongs to git`, 'The worktree shares the history already.');
  return real;
}

async function bring(source: string, how: How, { from, to }: Journey): Promise<string> {
  const path = relative(from, source);
  const target = join(to, path);
  if (await pathExists(target))
    throw refused(
      how,
      `${path} is tracked by git, so it is in the worktree already`,
      'Name only what is untracked; of a folder with both, the untracked files.',
    );
  await mkdir(dirname(target), { recursive: true });
  const parent = await realpath(dirname(target));
  if (parent !== to && !isInside(to, parent)) throw refused(how, `${path} would lie outside of the worktree`, 'A folder on the way there is a link.');
  await (how === 'copy' ? copy(source, target) : link(source, target));
  return path;
}

/** Links stay as they are written. Where the file system can, files share their blocks until one of them changes. */
async function copy(source: string, target: string): Promise<void> {
  try {
    await cp(source, target, { recursive: true, verbatimSymlinks: true, errorOnExist: true, force: false, mode: constants.COPYFILE_FICLONE });
  } catch (cause) {
    throw new OperatorError('worktree-copy-failed', `worktree.copy: ${source} cannot be copied: ${(cause as Error).message}`, {
      hint: 'Make room, link it with worktree.link, or have it made by worktree.setup.',
      exitCode: 4,
      cause,
    });
  }
}

async function link(source: string, target: string): Promise<void> {
  const isFolder = await stat(source).then(
    (found) => found.isDirectory(),
    () => false,
  );
  await symlink(source, target, isFolder ? 'junction' : 'file');
}

function refused(how: How, message: string, hint: string): OperatorError {
  return new OperatorError('worktree-path', `worktree.${how}: ${message}`, { hint, exitCode: 2 });
}
