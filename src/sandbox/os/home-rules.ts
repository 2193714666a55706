import { lstatSync, mkdirSync } from 'node:fs';
import { dirname, isAbsolute, join } from 'node:path';
import { CACHES, PROGRAMS_IN_CACHES } from './home-lists.ts';
import { type ToolSearch, toolPaths } from './home-tools.ts';
import { isBelow, isSeen, linkRules, type MountRule } from './mount-plan.ts';
import { canEnter } from './system-rules.ts';
import { entriesOf, realPathOf, textOf, trustedWay, type Way } from './trusted-path.ts';

/** System folders that are never covered, even if one of them is the home or the target of a link. */
const OF_SYSTEM = ['/usr', '/etc', '/nix', '/bin', '/sbin', '/lib', '/lib32', '/lib64', '/dev', '/proc', '/sys', '/gnu', '/snap'];
const SHARED = ['/', '/var', '/opt', '/home', '/srv', '/mnt'];
/** Memory that people use like /tmp. Inside, it is another one. */
const MEMORY = '/dev/shm';
export const isOfSystem = (path: string) => SHARED.includes(path) || (!isBelow(path, MEMORY) && OF_SYSTEM.some((folder) => isBelow(path, folder)));

/** Folders below `/run`, which is empty inside, where some systems keep their programs. */
const PROGRAMS_IN_RUN = ['/run/current-system', '/run/booted-system', '/run/wrappers', '/run/opengl-driver'];

/** The names in a home that begin with a dot, read when the sandbox is opened: names that an agent adds later are its own. */
export function dotsOf(home: string | null): readonly string[] {
  return home === null ? [] : entriesOf(home).flatMap(({ name }) => (name.startsWith('.') ? [name] : []));
}

interface HomePlace {
  readonly home: string;
  readonly treeRoot: string;
  readonly dots: readonly string[];
  /** The names with a dot that belong to the project: files, and folders that contain nothing else. Relative to the home. */
  readonly tracked: readonly string[];
}

/** Replaces the home with an empty one. A home that is the work tree or a system folder stays, and only its names with a dot are emptied. */
export function coveredHome({ home, treeRoot, dots, tracked }: HomePlace): readonly MountRule[] {
  const outside = linkedOutside(home);
  if (home !== treeRoot && !isOfSystem(home)) return [...outside, { path: home, as: 'private' }];
  const covered = dots.filter((name) => !['.git', '.ralph', ...tracked].includes(name)).map((name) => join(home, name));
  const shown = tracked.filter((path) => path.includes('/')).map((path): MountRule => ({ path: join(home, path), as: 'writable' }));
  return [...outside, ...covered.flatMap(emptied), ...shown];
}

function emptied(path: string): readonly MountRule[] {
  const real = realPathOf(path);
  const found = real === null ? undefined : lstatSync(real, { throwIfNoEntry: false });
  if (real === null || found === undefined || (real !== path && isOfSystem(real))) return [];
  return [found.isDirectory() ? { path: real, as: 'private' } : { path: real, as: 'hidden', isFolder: false }];
}

/** Hides the targets of links in the home too: a secret may be stored elsewhere and must not be readable under its own path. */
function linkedOutside(home: string): readonly MountRule[] {
  const inHome = entriesOf(home).filter(({ name }) => name.startsWith('.'));
  const deeper = ['.config', '.local/share'].flatMap((name) => entriesOf(join(home, name)));
  const links = [...inHome, ...deeper].filter((entry) => entry.isSymbolicLink()).map(({ parentPath, name }) => join(parentPath, name));
  return links.flatMap(emptied).flatMap(({ path, as }): readonly MountRule[] => {
    const isOutside = !isBelow(path, home) && !isBelow(home, path) && canEnter(path);
    return isOutside ? [{ path, as: 'hidden', isFolder: as === 'private' }] : [];
  });
}

/** Lets tools fill their caches without changing the host's. Without a cache folder they are empty, and are deleted with the process. */
export function cacheRules(home: string, cacheFolder: string | null): readonly MountRule[] {
  return [...CACHES.always, ...CACHES.ifThere].flatMap((name): readonly MountRule[] => {
    const way = trustedWay(join(home, name), () => false);
    if (way === null && (isOfSystem(home) || !CACHES.always.includes(name))) return [];
    if (cacheFolder === null) return [{ path: way?.real ?? join(home, name), as: 'private' }, ...linkRules(way?.links)];
    const by = join(cacheFolder, 'home', name.replaceAll('/', '-'));
    mkdirSync(by, { recursive: true, mode: 0o700 });
    return [{ path: way?.real ?? join(home, name), as: 'replaced', by }, ...linkRules(way?.links)];
  });
}

interface Showing {
  readonly base: readonly MountRule[];
  /** Folders that are never shown as a whole, even as the target of a link. */
  readonly never: readonly string[];
  /** Whether an agent could have created this link. Such links are not followed. */
  readonly canBePlanted: (link: string) => boolean;
}

/** What is shown of a covered home and of other covered folders: tools, programs in caches, and git's settings. */
export function shownTools(place: Omit<ToolSearch, 'realOf'>, { base, never, canBePlanted }: Showing): readonly MountRule[] {
  const { home, env } = place;
  const wayOf = (path: string) => (canBePlanted(path) ? null : wayUnlessPlanted(path, canBePlanted));
  const tools = toolPaths({ ...place, realOf: (path) => wayOf(path)?.real ?? null });
  const inCaches = PROGRAMS_IN_CACHES.map((name) => join(home, name));
  const isTrusted = (file: string) => {
    const way = wayOf(file);
    return way !== null && !canBePlanted(way.real);
  };
  const wanted = new Set([...PROGRAMS_IN_RUN, ...tools, ...inCaches, ...gitFilesOf({ home, env, isTrusted })]);
  return [...wanted].flatMap((path): readonly MountRule[] => {
    const way = wayOf(path);
    if (way === null || never.some((folder) => isBelow(folder, way.real))) return [];
    const isOpen = isSeen(way.real, base) || canBePlanted(way.real);
    return [...linkRules(way.links), ...(isOpen ? [] : [{ path: way.real, as: 'read-only' } as const])];
  });
}

function wayUnlessPlanted(path: string, canBePlanted: (link: string) => boolean): Way | null {
  try {
    return trustedWay(path, canBePlanted);
  } catch {
    return null;
  }
}

/** Settings of git that name a file or folder which git reads. Keys, credentials and programs are not among them. */
const NAMING = /^(?:core\.(?:excludesfile|attributesfile|hookspath)|commit\.template|init\.templatedir|blame\.ignorerevsfile|mailmap\.file)$/;
const INCLUDING = /^include(?:if)?\.path$/;
const DEEPEST = 10;

interface GitPlace {
  readonly home: string;
  readonly env: Readonly<Record<string, string>>;
  /** Whether no agent can write the file. Other files are ignored. */
  readonly isTrusted: (file: string) => boolean;
}

/** The user's git settings and all files they name, such as ignore lists. Some of them may not exist. */
function gitFilesOf(place: GitPlace): readonly string[] {
  const { home, env } = place;
  const folder = join(isAbsolute(env['XDG_CONFIG_HOME'] ?? '') ? `${env['XDG_CONFIG_HOME']}` : join(home, '.config'), 'git');
  const named = ['GIT_CONFIG_GLOBAL', 'GIT_CONFIG_SYSTEM'].flatMap((name) => (isAbsolute(env[name] ?? '') ? [env[name] ?? ''] : []));
  const settings = [...named, join(home, '.gitconfig'), join(folder, 'config')];
  return [...settings, join(folder, 'ignore'), join(folder, 'attributes'), ...settings.flatMap((file) => namedIn(file, place, DEEPEST))];
}

function namedIn(file: string, place: GitPlace, depth: number): readonly string[] {
  const { home, isTrusted } = place;
  const found = settingsIn(depth === 0 || !isTrusted(file) ? '' : textOf(file)).flatMap(({ key, value }) => {
    const path = value.startsWith('~/') ? join(home, value.slice(2)) : isAbsolute(value) || !INCLUDING.test(key) ? value : join(dirname(file), value);
    return isAbsolute(path) && (INCLUDING.test(key) || NAMING.test(key)) ? [{ path, isIncluded: INCLUDING.test(key) }] : [];
  });
  return found.flatMap(({ path, isIncluded }) => [path, ...(isIncluded ? namedIn(path, place, depth - 1) : [])]);
}

/** Each `section.key` with its value. The condition of a section such as `[includeIf "gitdir:~/office/"]` is left out. */
function settingsIn(text: string): readonly { readonly key: string; readonly value: string }[] {
  let section = '';
  return text.split('\n').flatMap((line) => {
    const head = /^\s*\[\s*([\w-]+)(?:\s+"(?:[^"\\]|\\.)*")?\s*\]/.exec(line);
    if (head !== null) section = head[1]?.toLowerCase() ?? '';
    const [, name, value] = /^\s*([\w-]+)\s*=\s*"?(.*?)"?\s*(?:[#;].*)?$/.exec(line.slice(head?.[0].length ?? 0)) ?? [];
    return name === undefined || value === undefined ? [] : [{ key: `${section}.${name.toLowerCase()}`, value }];
  });
}
