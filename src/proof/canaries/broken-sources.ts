import { folderOf } from '../deciders/repository.ts';
import { append, baseName, EXPECTED, type Plant } from './plant.ts';
import { typeProbesIn } from './type-probes.ts';

interface Checker {
  readonly files: RegExp;
  /** Lines that every tool of this name must reject, whatever it looks for: some only check types, others only the format or the order of imports. */
  readonly wrong: (name: string, path: string) => string;
}

const JAVASCRIPT = /\.[cm]?[jt]sx?$|\.(?:vue|svelte)$/;
const PYTHON = /\.pyi?$/;
/** An error in every language, and badly formatted in those that accept every text. */
const anyError = () => ')ralph canary(  {\n*   ralph';
const typeError = (name: string, path: string) =>
  /\.[cm]?jsx?$/.test(path) ? `/** @type {number} */ const ${name} = '${EXPECTED}';` : `const ${name}: number = '${EXPECTED}';`;
const goError = (name: string) => `func  ${name}( ) int  { return "${EXPECTED}" }`;

/** No syntax error where some of the tools would then look no further. */
const CHECKERS: Readonly<Record<string, Checker>> = {
  tsc: { files: JAVASCRIPT, wrong: typeError },
  eslint: { files: JAVASCRIPT, wrong: () => ')ralph canary(' },
  biome: { files: /\.[cm]?[jt]sx?$|\.(?:vue|svelte|css|jsonc?|graphql|html)$/, wrong: anyError },
  prettier: { files: /\.[cm]?[jt]sx?$|\.(?:vue|svelte|s?css|less|html|mdx?|ya?ml|graphql|hbs|json)$/, wrong: anyError },
  'deno-check': { files: JAVASCRIPT, wrong: () => ')ralph canary(' },
  ruff: { files: PYTHON, wrong: () => 'import sys\nimport os\n)ralph canary(' },
  mypy: { files: PYTHON, wrong: (name) => `${name}: int = '${EXPECTED}'` },
  flake8: { files: PYTHON, wrong: (name) => `import os,sys; ${name} [1]  ` },
  pylint: { files: PYTHON, wrong: (name) => `import os,sys; exec(${name})  ` },
  'go-vet': { files: /\.go$/, wrong: goError },
  'golangci-lint': { files: /\.go$/, wrong: goError },
  'cargo-check': { files: /\.rs$/, wrong: (name) => `const  ${name.toUpperCase()} : u8  =  "${EXPECTED}" ;` },
  shellcheck: { files: /\.(?:sh|bash)$/, wrong: () => 'if [ ralph' },
};

/** Declaration files, which are not always checked, and files that other programs of the gate may read. */
const NEVER = /\.d\.[cm]?ts$|\.config\.[cm]?[jt]s$|rc\.[cm]?js$|(?:-lock|npm-shrinkwrap)\.(?:json|ya?ml)$/;
const MOST = 20;
/** More would take minutes to write and to revert. */
const MOST_IN_ALL = 3_000;

interface Wish {
  readonly runners: readonly string[];
  /** In the order in which they are broken. */
  readonly sources: readonly string[];
  readonly read: (path: string) => Promise<string | null>;
  readonly token: () => string;
  /** Configuration stays as it is: a checker that cannot read it has not looked at any source. */
  readonly decides?: (path: string) => 'configuration' | 'test' | null;
}

/** Breaks at most twenty sources that a checker must then name by their base names. Of two base names that could be confused, only one is used. */
export async function breakSources(wish: Wish): Promise<readonly Plant[]> {
  const plants: Plant[] = [];
  for (const path of wish.sources) {
    if (plants.length === MOST) break;
    if (NEVER.test(path) || plants.some(({ tokens: [name = ''] }) => looksLike(name, baseName(path)))) continue;
    const plant = await broken(path, wish);
    if (plant !== null && plant !== 'unbroken') plants.push(plant);
  }
  return plants;
}

export interface AllBroken {
  readonly plants: readonly Plant[];
  /** How many files of its languages could not be broken. */
  readonly left: number;
}

/** Breaks all sources, to see whether a checker looks at any of them. */
export async function breakAllSources(wish: Wish): Promise<AllBroken> {
  const plants: Plant[] = [];
  let left = 0;
  for (const path of wish.sources) {
    if (checkerOf(path, wish.runners) === undefined) continue;
    const plant = plants.length === MOST_IN_ALL ? 'unbroken' : await broken(path, wish);
    if (plant === 'unbroken') left += 1;
    else if (plant !== null) plants.push(plant);
  }
  return { plants, left };
}

/** Null if it is not to be broken. */
async function broken(path: string, { runners, read, token, decides }: Wish): Promise<Plant | 'unbroken' | null> {
  const checker = checkerOf(path, runners);
  if (checker === undefined || decides?.(path) === 'configuration') return null;
  const text = await read(path);
  if (text === null) return 'unbroken';
  const probed = runners.every((runner) => runner === 'tsc') ? typeProbesIn({ path, text, token }) : null;
  const lines = checker.wrong(`ralph${token()}`, path).split('\n');
  // A formatter looks at the whole file, and says nothing of an error in its script.
  const inside = /\.(?:vue|svelte)$/.test(path) && checker.wrong !== anyError ? text.lastIndexOf('</script>') : null;
  if (inside === -1) return 'unbroken';
  const whole = inside === null ? append(probed?.text ?? text, lines) : append(text.slice(0, inside), lines) + text.slice(inside);
  return { path, text: whole, tokens: [baseName(path)], cases: 0, isSource: true, ...(probed !== null && { probes: probed.probes }) };
}

/** The sources that are named in the output, those that it names with their folder first: base names alone may be those of others. */
export function sourcesNamedIn(output: string, paths: readonly string[]): readonly string[] {
  const words = new Set(output.match(/[^\s:;,()"'`[\]]+/g));
  const names = new Set([...words].map(baseName));
  const isWhole = (path: string) => [...endsOf(path)].some((end) => words.has(end));
  const named = paths.filter((path) => names.has(baseName(path)));
  return [...named.filter(isWhole), ...named.filter((path) => !isWhole(path))];
}

/** `a/b/c.ts`, and `b/c.ts` as a program in `a` prints it. */
function endsOf(path: string): readonly string[] {
  const ends = [path];
  for (let at = path.indexOf('/'); at !== -1 && folderOf(path.slice(at + 1)) !== ''; at = path.indexOf('/', at + 1)) ends.push(path.slice(at + 1));
  return ends.flatMap((end) => [end, `./${end}`]);
}

const checkerOf = (path: string, runners: readonly string[]) => runners.map((runner) => CHECKERS[runner]).find((checker) => checker?.files.test(path));

/** Whether failures can be planted for it: sources that it must reject. */
export const isChecker = (runner: string) => CHECKERS[runner] !== undefined;

const looksLike = (one: string, other: string) => one.endsWith(other) || other.endsWith(one);
