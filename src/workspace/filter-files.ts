import { statSync } from 'node:fs';
import { isAbsolute, join, relative, resolve } from 'node:path';
import { withoutGitVariables } from '../kit/pure/without-git-variables.ts';
import { openGitCommand, type Variables } from './git/git-command.ts';

const FILTERS = '^filter\\..*\\.(clean|smudge|process)$';

/**
 * Files of a work tree that the operator's git runs when it reads or writes a filtered file: `filter.x.clean = ./tools/clean.sh`. Whoever can write them can
 * have git run anything outside the sandbox. Paths are relative to the top.
 */
export async function filterFiles(topLevel: string, env: Variables): Promise<readonly string[]> {
  const git = openGitCommand(topLevel, withoutGitVariables(env));
  const { stdout } = await git(['config', '-z', '--get-regexp', FILTERS]);
  const commands = stdout.split('\0').map((field) => field.slice(field.indexOf('\n') + 1));
  const words = commands.flatMap((command) => command.split(/[\s'"=;|&()<>]+/)).filter(Boolean);
  return [...new Set(words.map((word) => relative(topLevel, resolve(topLevel, word))))].filter((path) => isFileOf(topLevel, path));
}

function isFileOf(topLevel: string, path: string): boolean {
  if (path === '' || path.startsWith('..') || isAbsolute(path) || path.startsWith('.git/')) return false;
  return statSync(join(topLevel, path), { throwIfNoEntry: false })?.isFile() === true;
}
