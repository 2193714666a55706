import { folderOf, isWithin, nameOf, readText, resolvePath } from '../repository.ts';
import type { Follow, Place, Trail } from './trail.ts';

/** Options of npm, pnpm, yarn and bun whose value is the next word. */
const valued = new Set([
  '-w',
  '--workspace',
  '--filter',
  '-F',
  '--prefix',
  '-C',
  '--dir',
  '--cwd',
  '--loglevel',
  '--script-shell',
  '-p',
  '--package',
  '--scope',
]);
const inFolder = new Set(['--prefix', '-C', '--dir', '--cwd']);
const inAll = new Set(['-r', '--recursive', '--workspaces', '-ws', '--ws', '--workspaces-update', '-W', '--all']);
const inOne = new Set(['-w', '--workspace', '--filter', '-F', '--scope']);

interface Call {
  /** All words that are not options, up to those for the script itself. */
  readonly words: readonly string[];
  readonly folder: string | null;
  readonly isInAll: boolean;
  readonly only: readonly string[];
}

function callOf(rest: readonly string[]): Call {
  const own = rest.includes('--') ? rest.slice(0, rest.indexOf('--')) : rest;
  const values = (options: ReadonlySet<string>) =>
    own.flatMap((word, at) => {
      if (options.has(word)) return own[at + 1] ?? [];
      return word.startsWith('--') && options.has(word.replace(/=.*$/s, '')) ? word.slice(word.indexOf('=') + 1) : [];
    });
  return {
    words: own.filter((word, at) => !word.startsWith('-') && !valued.has(own[at - 1] ?? '')),
    folder: values(inFolder)[0] ?? null,
    isInAll: own.some((word) => inAll.has(word)),
    only: values(inOne),
  };
}

/** What npm understands as `npm run test`, and the ways to name one workspace or all. */
function scriptOf(program: string, call: Call): { readonly script: string | null; readonly call: Call } {
  const [first = '', second = ''] = call.words;
  if (first === 'recursive' || first === 'm') return scriptOf(program, { ...call, isInAll: true, words: call.words.slice(1) });
  if (program === 'yarn' && first === 'workspace') return scriptOf(program, { ...call, only: [second], words: call.words.slice(2) });
  if (program === 'yarn' && first === 'workspaces') {
    return { script: call.words.slice(1).find((word) => word !== 'foreach' && word !== 'run') ?? null, call: { ...call, isInAll: true } };
  }
  const script = first === 'run' || first === 'run-script' || first === 'rum' ? second : first.replace(/^(?:t|tst)$/, 'test');
  return { script: script === '' ? null : script, call };
}

/** Follows `npm test`, `pnpm -r lint`, `yarn workspace a test` into package.json. False if it starts no script of this project. */
export async function followPackageScript(
  program: string,
  rest: readonly string[],
  place: Place,
  way: { readonly trail: Trail; readonly follow: Follow },
): Promise<boolean> {
  const { script, call } = scriptOf(program, callOf(rest));
  if (script === null) return false;
  const cwd = call.folder === null ? place.cwd : resolvePath(place.cwd, call.folder);
  if (cwd === null) return false;
  const manifests = await manifestsOf(way.trail, cwd, call);
  let isFound = false;
  for (const path of manifests) isFound = (await followScript(path, script, place.depth, way)) || isFound;
  return isFound;
}

/** Follows a script that turbo, nx or npm-run-all starts, in every package or in one. */
export async function followScriptEverywhere(script: string, place: Place, way: { readonly trail: Trail; readonly follow: Follow }): Promise<void> {
  for (const path of await manifestsOf(way.trail, place.cwd, { isInAll: true, only: [] }))
    await followScript(path, script.replace(/^.*#/, ''), place.depth, way);
}

export async function followScriptsHere(patterns: readonly string[], place: Place, way: { readonly trail: Trail; readonly follow: Follow }): Promise<void> {
  const path = nearestManifest(way.trail, place.cwd);
  const scripts = path === null ? {} : await scriptsIn(way.trail, path);
  for (const pattern of patterns) {
    const start = pattern.endsWith('*') ? pattern.replace(/\*+$/, '') : null;
    const names = Object.keys(scripts).filter((name) => (start === null ? name === pattern : name.startsWith(start)));
    if (path !== null) for (const name of names) await followScript(path, name, place.depth, way);
  }
}

async function followScript(
  path: string,
  script: string,
  depth: number,
  { trail, follow }: { readonly trail: Trail; readonly follow: Follow },
): Promise<boolean> {
  const scripts = await scriptsIn(trail, path);
  const lines = [`pre${script}`, script, `post${script}`].flatMap((name) => (typeof scripts[name] === 'string' ? [scripts[name]] : []));
  if (typeof scripts[script] !== 'string') return false;
  for (const line of lines) await follow(line, { cwd: folderOf(path), depth: depth + 1 });
  return true;
}

/** The most packages that are followed; tests are found by their names in all of them. */
const MOST_PACKAGES = 300;

async function manifestsOf(trail: Trail, cwd: string, { isInAll, only }: Pick<Call, 'isInAll' | 'only'>): Promise<readonly string[]> {
  const nearest = nearestManifest(trail, cwd);
  if (!isInAll && only.length === 0) return nearest === null ? [] : [nearest];
  const below = trail.repository.paths.filter(
    (path) => nameOf(path) === 'package.json' && isWithin(path, cwd) && path !== nearest && !path.includes('node_modules/'),
  );
  const all = below.slice(0, MOST_PACKAGES);
  if (only.length === 0) return all;
  const chosen: string[] = [];
  for (const path of all) if (await isNamed(trail, path, { cwd, only })) chosen.push(path);
  // A filter that Ralph does not understand ("...[main]") may mean any of them.
  return chosen.length > 0 ? chosen : all;
}

async function isNamed(trail: Trail, path: string, { cwd, only }: { readonly cwd: string; readonly only: readonly string[] }): Promise<boolean> {
  const folder = folderOf(path);
  if (only.some((name) => resolvePath(cwd, name) === folder)) return true;
  const name = (await manifestIn(trail, path))['name'];
  return typeof name === 'string' && only.some((each) => each === name || each.replace(/^\.{3}|\.{3}$/g, '') === name);
}

function nearestManifest({ index }: Trail, cwd: string): string | null {
  for (let folder = cwd; ; folder = folderOf(folder)) {
    const path = folder === '' ? 'package.json' : `${folder}/package.json`;
    if (index.files.has(path)) return path;
    if (folder === '') return null;
  }
}

async function scriptsIn(trail: Trail, path: string): Promise<Readonly<Record<string, unknown>>> {
  const scripts = (await manifestIn(trail, path))['scripts'];
  return typeof scripts === 'object' && scripts !== null ? (scripts as Record<string, unknown>) : {};
}

async function manifestIn({ repository }: Trail, path: string): Promise<Readonly<Record<string, unknown>>> {
  try {
    const manifest: unknown = JSON.parse((await readText(repository, path)) ?? '{}');
    return typeof manifest === 'object' && manifest !== null ? (manifest as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}
