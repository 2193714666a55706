import { existsSync, lstatSync, statSync } from 'node:fs';
import { basename, dirname, isAbsolute, join, relative } from 'node:path';
import { MOVED_TOOLS, NAMING_VARIABLES, TOOLS } from './home-lists.ts';
import { entriesOf } from './look.ts';
import { isBelow } from './mount-plan.ts';

export interface ToolSearch {
  readonly home: string;
  readonly env: Readonly<Record<string, string>>;
  /** What is about to be started. */
  readonly file: string;
  readonly args: readonly string[];
  /** Whether the host's own is not there inside unless a rule says so. */
  readonly isCovered: (path: string) => boolean;
  /** The real path of what is there, if no link that an agent could have planted is on the way. */
  readonly realOf: (path: string) => string | null;
}

/** The tools of a home, and of other folders that are empty inside: paths as they are named, which may be links or not be there. */
export function toolPaths(search: ToolSearch): readonly string[] {
  const { env, file, args, isCovered } = search;
  const folders = [...new Set((env['PATH'] ?? '').split(':'))].filter((path) => isAbsolute(path));
  const covered = (paths: readonly string[]) => paths.filter((path) => isAbsolute(path) && isCovered(path));
  const programs = [process.execPath, ...foundIn(folders, file), ...covered(args)];
  return [
    ...listedTools(search),
    ...covered(NAMING_VARIABLES.flatMap((name) => env[name] ?? [])),
    ...covered(folders).flatMap((folder) => partsOfFolder(folder, search)),
    ...programs.flatMap((program) => partsOfProgram(program, search)),
  ];
}

/** Of the list, what can be there: one look at the home spares hundreds at paths. */
function listedTools({ home, env, realOf }: ToolSearch): readonly string[] {
  const names = new Set(entriesOf(home).map(({ name }) => name));
  const moved = Object.entries(MOVED_TOOLS).flatMap(([variable, folder]) => {
    const to = env[variable] ?? '';
    return isAbsolute(to) && to !== join(home, folder) ? TOOLS.filter((tool) => isBelow(tool, folder)).map((tool) => join(to, relative(folder, tool))) : [];
  });
  const there = TOOLS.filter((tool) => names.has(tool.split('/')[0] ?? '')).map((tool) => join(home, tool));
  return [...there, ...moved].filter((tool) => isNamedSo(tool, realOf(tool), home));
}

/** A link to a tool leads to what has its name, or to what has no dot: `~/.nvm` that is `~/.ssh` is none. */
function isNamedSo(tool: string, real: string | null, home: string): boolean {
  if (real === null || real === tool || !isBelow(real, home)) return real !== null;
  const plain = (path: string) => basename(path).replace(/^\./, '');
  return plain(real) === plain(tool) || !/(?:^|\/)\./.test(relative(home, real));
}

/** Where a command is found. */
function foundIn(folders: readonly string[], file: string): readonly string[] {
  if (file.includes('/')) return isAbsolute(file) ? [file] : [];
  const folder = folders.find((each) => existsSync(join(each, file)));
  return folder === undefined ? [] : [join(folder, file)];
}

/** A folder of PATH, what belongs to it, and where the links in it lead. */
function partsOfFolder(folder: string, search: ToolSearch): readonly string[] {
  const real = search.realOf(folder);
  if (real === null) return [];
  const links = entriesOf(real).filter((entry) => entry.isSymbolicLink());
  const folders = [...new Set([folder, real])];
  return [...folders, ...folders.flatMap((each) => neighboursOf(each, search.home)), ...links.flatMap(({ name }) => partsOfProgram(join(real, name), search))];
}

/** A program and the package it is part of. Only what can be executed counts: a link in a folder of PATH may lead to a key. */
function partsOfProgram(program: string, { home, isCovered, realOf }: ToolSearch): readonly string[] {
  const real = realOf(program);
  if (real === null || !isCovered(real) || !isProgram(program, real)) return [];
  const modules = real.indexOf('/node_modules/', isBelow(real, home) ? home.length : 0);
  // Links of a package manager lie in its own folder and lead nowhere else.
  if (modules >= 0) return [...(isBelow(program, real.slice(0, modules)) ? [] : [program]), real.slice(0, modules + '/node_modules'.length)];
  const root = isBelow(real, home) ? packageRoot(dirname(real), home) : null;
  return [program, ...(root === null ? neighboursOf(dirname(real), home) : [root])];
}

/** A file that is named, and not found by a link, need not be executable: `node agent.mjs`. */
function isProgram(program: string, real: string): boolean {
  const found = statSync(real, { throwIfNoEntry: false });
  if (found?.isFile() !== true) return false;
  return (found.mode & 0o111) !== 0 || lstatSync(program, { throwIfNoEntry: false })?.isSymbolicLink() !== true;
}

/** Folders in which everybody keeps something. */
const EVERYBODYS = ['', '.config', '.local', '.local/share', '.local/state', '.cache'];

function packageRoot(folder: string, home: string): string | null {
  if (!isBelow(folder, home) || EVERYBODYS.includes(relative(home, folder))) return null;
  return existsSync(join(folder, 'package.json')) ? folder : packageRoot(dirname(folder), home);
}

/** What programs in `bin` find by `..`. Not all that is there: beside `bin` some tools keep a token. */
const NEIGHBOURS = [
  ...['bin', 'lib', 'lib64', 'libexec', 'include', 'share', 'node_modules', 'pyvenv.cfg', 'conda-meta', 'jre', 'jmods', 'conf', 'boot', 'release'],
];

function neighboursOf(folder: string, home: string): readonly string[] {
  const around = dirname(folder);
  if (!/^(?:s?bin|shims|condabin)$/.test(basename(folder)) || around === home) return [];
  if (around === join(home, '.local')) return [join(around, 'lib'), join(around, 'libexec')];
  return NEIGHBOURS.map((name) => join(around, name));
}
