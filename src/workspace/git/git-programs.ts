import { statSync } from 'node:fs';
import { dirname, isAbsolute, join, relative, resolve } from 'node:path';
import { withoutGitVariables } from '../../sandbox/environment/environment.ts';
import { openGitCommand, type Variables } from './git-command.ts';

/** A command that git runs on files, by its key: `filter.x.clean`. */
export interface GitProgram {
  readonly key: string;
  readonly command: string;
}

/** What the operator's git runs and obeys when it reads, writes or merges files. It is read once at the start of a run. */
export interface GitPrograms {
  readonly programs: readonly GitProgram[];
  /**
   * Files of the work tree that change what git runs, relative to its top: settings that are included from there, also if they do not exist yet, and files
   * that a command names.
   */
  readonly files: readonly string[];
}

const RUN_ON_FILES = /^(?:filter\..*\.(?:clean|smudge|process)|merge\..*\.driver)$/s;
const INCLUDED = /^include(?:if\..*)?\.path$/s;

export async function readGitPrograms(topLevel: string, env: Variables): Promise<GitPrograms> {
  const git = openGitCommand(topLevel, withoutGitVariables(env));
  const { stdout } = await git(['config', '--list', '--show-origin', '-z']);
  const fields = stdout.split('\0');
  const settings = fields.flatMap((origin, index) =>
    index % 2 === 0 && index + 1 < fields.length ? [settingIn(origin, fields[index + 1] ?? '', topLevel)] : [],
  );
  const commands = settings.filter(({ key }) => RUN_ON_FILES.test(key));
  const byKey = new Map(commands.map(({ key, value }) => [key, value]));
  const programs = [...byKey].flatMap(([key, command]) => (command === '' ? [] : [{ key, command }]));
  const included = settings.flatMap(({ key, value, file }) => (INCLUDED.test(key) && file !== null ? [pathFrom(file, value, env)] : []));
  const obeyed = [...settings.flatMap(({ file }) => file ?? []), ...included];
  const named = commands.flatMap(({ value }) => value.split(/[\s'"=;|&()<>]+/)).filter(Boolean);
  const within = (paths: readonly string[]) => paths.map((path) => relative(topLevel, resolve(topLevel, path))).filter(isWithin);
  return { programs, files: [...new Set([...within(obeyed), ...within(named).filter((path) => isFile(join(topLevel, path)))])] };
}

interface Setting {
  readonly key: string;
  readonly value: string;
  /** Null if it does not come from a file. */
  readonly file: string | null;
}

function settingIn(origin: string, field: string, topLevel: string): Setting {
  const end = field.indexOf('\n');
  const [key, value] = end === -1 ? [field, ''] : [field.slice(0, end), field.slice(end + 1)];
  return { key, value, file: origin.startsWith('file:') ? resolve(topLevel, origin.slice('file:'.length)) : null };
}

function pathFrom(file: string, value: string, env: Variables): string {
  return value.startsWith('~/') ? join(env['HOME'] ?? '/', value.slice(2)) : resolve(dirname(file), value);
}

const isWithin = (path: string) => path !== '' && !path.startsWith('..') && !isAbsolute(path) && path !== '.git' && !path.startsWith('.git/');

const isFile = (path: string) => statSync(path, { throwIfNoEntry: false })?.isFile() === true;
