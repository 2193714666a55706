import { readText, resolvePath } from '../repository.ts';
import type { Follow, Place, Trail } from './trail.ts';

interface Recipe {
  readonly needs: readonly string[];
  readonly lines: readonly string[];
}

interface Recipes {
  readonly byName: ReadonlyMap<string, Recipe>;
  readonly variables: ReadonlyMap<string, string>;
  readonly includes: readonly string[];
}

const makefiles = ['GNUmakefile', 'makefile', 'Makefile'];
const justfiles = ['justfile', 'Justfile', '.justfile'];

/** Follows `make -C dir test` or `just test`: the recipes of the targets and of all that these need. */
export async function followRecipes(
  program: 'make' | 'just',
  rest: readonly string[],
  place: Place,
  way: { readonly trail: Trail; readonly follow: Follow },
): Promise<void> {
  const call = callOf(rest);
  const cwd = call.folder === null ? place.cwd : resolvePath(place.cwd, call.folder);
  if (cwd === null) return;
  const name = call.file ?? (program === 'make' ? makefiles : justfiles).find((each) => way.trail.index.files.has(resolvePath(cwd, each) ?? ''));
  const path = name === undefined ? null : resolvePath(cwd, name);
  if (path === null) return;
  const recipes = await recipesIn(path, cwd, way.trail);
  if (recipes === null) return;
  const targets = call.targets.length > 0 ? call.targets : [...recipes.byName.keys()].filter((each) => !each.startsWith('.')).slice(0, 1);
  const variables = new Map([...recipes.variables, ...call.variables, ['MAKE', 'make'], ['CURDIR', '.'], ['PWD', '.']]);
  const folders = recipes.variables.get('PATH');
  const exported = folders === undefined ? '' : `export PATH="${expand(folders, variables)}"\n`;
  const { lines, made } = linesFor(targets, recipes);
  noteMade(way.trail, cwd, made);
  // Each line has a shell of its own.
  for (const line of lines) await way.follow(exported + expand(line, variables), { cwd, depth: place.depth + 1 });
}

/** What is there already is not made: a file that was put there would stand for what a program writes. */
function noteMade(trail: Trail, cwd: string, made: readonly string[]): void {
  for (const path of made.map((target) => resolvePath(cwd, target))) if (path && !trail.index.files.has(path)) trail.named.set(path, 'configuration');
}

const folderOption = /^(?:-C|--directory|-d|--working-directory)$/;
const fileOption = /^(?:-f|--file|--makefile|--justfile)$/;
const otherOption = /^-[oWIj]$/;

function callOf(rest: readonly string[]) {
  const words = rest.flatMap((word) => (word.startsWith('--') ? word.split(/=(.*)/s, 2) : [word]));
  const valueBehind = (option: RegExp) => words.find((_, at) => option.test(words[at - 1] ?? ''));
  const isValue = (at: number) =>
    [folderOption, fileOption, otherOption].some((option) => option.test(words[at - 1] ?? '')) && !/^-j$/.test(words[at - 1] ?? '');
  const plain = words.filter((word, at) => !word.startsWith('-') && !isValue(at) && !/^\d+$/.test(word));
  const isAssigned = (word: string) => /^\w+=/.test(word);
  return {
    targets: plain.filter((word) => !isAssigned(word)),
    variables: plain.filter(isAssigned).map((word) => [word.slice(0, word.indexOf('=')), word.slice(word.indexOf('=') + 1)] as const),
    folder: valueBehind(folderOption) ?? null,
    file: valueBehind(fileOption),
  };
}

/** With what it includes, each file once. The files are deciders. */
async function recipesIn(path: string, cwd: string, trail: Trail): Promise<Recipes | null> {
  const texts: string[] = [];
  const open = [path];
  const read = new Set<string>();
  for (let next = open.shift(); next !== undefined && read.size < 20; next = open.shift()) {
    const text = read.has(next) || !trail.index.files.has(next) ? null : await readText(trail.repository, next);
    read.add(next);
    if (text === null) continue;
    trail.named.set(next, 'configuration');
    texts.push(text);
    for (const name of parseRecipes(text).includes) open.push(...[resolvePath(cwd, name)].filter((each) => each !== null));
  }
  return texts.length === 0 ? null : parseRecipes(texts.join('\n'));
}

interface OpenRecipe {
  readonly needs: string[];
  readonly lines: string[];
}

const assignment = /^(?:export\s+)?(\w+)\s*(?::{0,3}|\?|\+)=\s*(.*)$/;
const inclusion = /^(?:-?include|import|mod)\s+(.+)$/;
const heading = /^@?([\w./%$(){}@*+='"-][\w./%$(){}@ \t*+='"-]{0,500}?)[ \t]{0,20}::?(?!=)([^#;]*)(?:;(.*))?/;

/** Both languages at once: a heading with a colon, and indented lines below it. */
function parseRecipes(text: string): Recipes {
  const lines = text.replace(/\\\r?\n/g, ' ').split(/\r?\n/);
  const outer = lines.filter((line) => !/^[ \t]/.test(line));
  const assignments = outer.map((line) => assignment.exec(line)).filter((found) => found !== null);
  const included = outer.map((line) => inclusion.exec(line)?.[1] ?? '').filter((names) => names !== '');
  const byName = new Map<string, OpenRecipe>();
  let current: readonly OpenRecipe[] = [];
  for (const line of lines) {
    if (/^[ \t]/.test(line)) for (const recipe of current) recipe.lines.push(line.trim().replace(/^[@+-]+\s*/, ''));
    else if (!assignment.test(line)) current = headed(heading.exec(line), byName) ?? current;
  }
  return {
    byName,
    variables: new Map(assignments.map(([, name = '', value = '']) => [name, value.replace(/^(['"])(.*)\1$/, '$2')])),
    includes: included.flatMap((names) => names.split(/\s+/)).map((name) => name.replace(/['"]/g, '')),
  };
}

/** The name is the first word for just (parameters follow), any word for make (several targets): all are tried. */
function headed(found: RegExpExecArray | null, byName: Map<string, OpenRecipe>): readonly OpenRecipe[] | null {
  if (found === null) return null;
  const [, names = '', needs = '', inline] = found;
  return names
    .trim()
    .split(/\s+/)
    .map((name) => {
      const recipe = byName.get(name) ?? { needs: [], lines: [] };
      recipe.needs.push(...needs.split(/[\s()|&]+/).filter((each) => each !== ''));
      if (inline !== undefined) recipe.lines.push(inline.trim());
      byName.set(name, recipe);
      return recipe;
    });
}

/** What is needed comes first; each target once, so that a circle ends. */
function linesFor(targets: readonly string[], { byName, variables }: Recipes): { readonly lines: readonly string[]; readonly made: readonly string[] } {
  const lines: string[] = [];
  const seen = new Set<string>();
  const visit = (name: string) => {
    const recipe = byName.get(name);
    if (recipe === undefined || seen.has(name) || seen.size > 500) return;
    seen.add(name);
    const needs = recipe.needs.flatMap((each) => expand(each, variables).split(/\s+/));
    for (const need of needs) visit(need);
    lines.push(...recipe.lines.map((line) => withAutomatic(line, name, needs)));
  };
  for (const target of targets) visit(target);
  return { lines, made: [...seen] };
}

/** `$@` is what is made, `$<` the first of what it needs, `$^` all of that. */
function withAutomatic(line: string, name: string, needs: readonly string[]): string {
  const words: Readonly<Record<string, string>> = { '@': name, '<': needs[0] ?? '', '^': needs.join(' '), '?': needs.join(' '), '+': needs.join(' ') };
  return line.replace(/(?<!\$)\$([@<^?+])/g, (_, sign: string) => words[sign] ?? '');
}

/** `$(X)`, `${X}` and `{{X}}`, three levels deep; `$$` is a dollar of the shell. */
function expand(line: string, variables: ReadonlyMap<string, string>): string {
  let text = line;
  for (let turn = 0; turn < 3 && text.length < 10_000; turn += 1) {
    text = text.replace(/\$[({](?:wildcard\s+[^()]*|(\w+))[)}]|\{\{\s*(\w+)\s*\}\}/g, (all, made: string | undefined, just: string | undefined) =>
      all.startsWith('$(wildcard') ? all.slice('$(wildcard'.length, -1).trim() : (variables.get(made ?? just ?? '') ?? all),
    );
  }
  return text.replaceAll('$$', '$');
}
