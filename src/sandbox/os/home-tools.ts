import { existsSync, lstatSync, statSync } from 'node:fs';
import { basename, dirname, isAbsolute, join, relative } from 'node:path';
import { MOVED_TOOLS, NAMING_VARIABLES, TOOLS } from './home-lists.ts';
import { isBelow } from './mount-plan.ts';
import { entriesOf } from './trusted-path.ts';

export interface ToolSearch {
  readonly home: string;
  readonly env: Readonly<Record<string, string>>;
  /** The program that is about to start. */
  readonly file: string;
  readonly args: readonly string[];
  /** Other programs that it may start. */
  readonly programs?: readonly string[];
  /** Where installers put agents, relative to the home. */
  readonly agentPrograms: readonly string[];
  /** Whether the host's files at this path are hidden unless a rule shows them. */
  readonly isCovered: (path: string) => boolean;
  /** The real path of an existing file, if no link on the way could have been created by an agent. */
  readonly realOf: (path: string) => string | null;
}

/** The tools of a home and of other covered folders, by the paths that name them. These may be links, or not exist. */
export function toolPaths(search: ToolSearch): readonly string[] {
  const { env, file, args, programs: others = [], isCovered } = search;
  const folders = [...new Set((env['PATH'] ?? '').split(':'))].filter((path) => isAbsolute(path));
  const covered = (paths: readonly string[]) => paths.filter((path) => isAbsolute(path) && isCovered(path));
  const programs = [process.execPath, ...[file, ...others].flatMap((each) => foundIn(folders, each)), ...covered(args)];
  return [
    ...listedTools(search),
    ...covered(NAMING_VARIABLES.flatMap((name) => env[name] ?? [])),
    ...covered(folders).flatMap((folder) => partsOfFolder(folder, search)),
    ...programs.flatMap((program) => partsOfProgram(program, search)),
  ];
}

/** The tools on the list that may exist. One listing of the home saves hundreds of path checks. */
function listedTools({ home, env, agentPrograms, realOf }: ToolSearch): readonly string[] {
  const names = new Set(entriesOf(home).map(({ name }) => name));
  const moved = Object.entries(MOVED_TOOLS).flatMap(([variable, folder]) => {
    const to = env[variable] ?? '';
    return isAbsolute(to) && to !== join(home, folder) ? TOOLS.filter((tool) => isBelow(tool, folder)).map((tool) => join(to, relative(folder, tool))) : [];
  });
  const there = [...TOOLS, ...agentPrograms].filter((tool) => names.has(tool.split('/')[0] ?? '')).map((tool) => join(home, tool));
  return [...there, ...moved].filter((tool) => isNamedSo(tool, realOf(tool), home));
}

/** A link to a tool may lead to a folder of the same name, or to one without a dot. `~/.nvm` that leads to `~/.ssh` is not a tool. */
function isNamedSo(tool: string, real: string | null, home: string): boolean {
  if (real === null || real === tool || !isBelow(real, home)) return real !== null;
  const plain = (path: string) => basename(path).replace(/^\./, '');
  return plain(real) === plain(tool) || !/(?:^|\/)\./.test(relative(home, real));
}

/** The paths at which a command may be found. */
function foundIn(folders: readonly string[], file: string): readonly string[] {
  if (file.includes('/')) return isAbsolute(file) ? [file] : [];
  const folder = folders.find((each) => existsSync(join(each, file)));
  return folder === undefined ? [] : [join(folder, file)];
}

/** A folder of PATH, its neighbours, and the targets of the links in it. */
function partsOfFolder(folder: string, search: ToolSearch): readonly string[] {
  const real = search.realOf(folder);
  if (real === null) return [];
  const links = entriesOf(real).filter((entry) => entry.isSymbolicLink());
  const folders = [...new Set([folder, real])];
  return [...folders, ...folders.flatMap((each) => neighboursOf(each, search.home)), ...links.flatMap(({ name }) => partsOfProgram(join(real, name), search))];
}

/** A program and the package it belongs to. Only executable files count: a link in a folder of PATH may lead to a key. */
function partsOfProgram(program: string, { home, isCovered, realOf }: ToolSearch): readonly string[] {
  const real = realOf(program);
  if (real === null || !isCovered(real) || !isProgram(program, real)) return [];
  const modules = real.indexOf('/node_modules/', isBelow(real, home) ? home.length : 0);
  // A package manager's links are in its own folder and lead nowhere else.
  if (modules >= 0) return [...(isBelow(program, real.slice(0, modules)) ? [] : [program]), real.slice(0, modules + '/node_modules'.length)];
  const root = isBelow(real, home) ? packageRoot(dirname(real), home) : null;
  return [program, ...(root === null ? neighboursOf(dirname(real), home) : [root])];
}

/** A file that is named directly, not by a link, need not be executable: `node agent.mjs`. */
function isProgram(program: string, real: string): boolean {
  const found = statSync(real, { throwIfNoEntry: false });
  if (found?.isFile() !== true) return false;
  return (found.mode & 0o111) !== 0 || lstatSync(program, { throwIfNoEntry: false })?.isSymbolicLink() !== true;
}

/** Folders that many programs share. */
const EVERYBODYS = ['', '.config', '.local', '.local/share', '.local/state', '.cache'];

function packageRoot(folder: string, home: string): string | null {
  if (!isBelow(folder, home) || EVERYBODYS.includes(relative(home, folder))) return null;
  return existsSync(join(folder, 'package.json')) ? folder : packageRoot(dirname(folder), home);
}

/** Folders that programs in `bin` find by `..`. Not everything there: some tools keep a token beside `bin`. */
const NEIGHBOURS = [
  ...['bin', 'lib', 'lib64', 'libexec', 'include', 'share', 'node_modules', 'pyvenv.cfg', 'conda-meta', 'jre', 'jmods', 'conf', 'boot', 'release'],
];

function neighboursOf(folder: string, home: string): readonly string[] {
  const around = dirname(folder);
  if (!/^(?:s?bin|shims|condabin)$/.test(basename(folder)) || around === home) return [];
  if (around === join(home, '.local')) return [join(around, 'lib'), join(around, 'libexec')];
  return NEIGHBOURS.map((name) => join(around, name));
}
