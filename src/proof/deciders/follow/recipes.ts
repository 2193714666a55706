import { readText, resolvePath } from '../repository.ts';
import { expand, type Recipe, ruleFor, rulesIn, withAutomatic } from './make-rules.ts';
import { globOf } from './measures.ts';
import type { Follow, Place, Trail } from './trail.ts';

interface Recipes {
  readonly byName: ReadonlyMap<string, Recipe>;
  readonly variables: ReadonlyMap<string, string>;
  readonly includes: readonly string[];
}

const makefiles = ['GNUmakefile', 'makefile', 'Makefile'];
const justfiles = ['justfile', 'Justfile', '.justfile'];

/** Follows `make -C dir test` or `just test`: the recipes of the targets and of everything that they need. */
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
  // Each line runs in its own shell.
  for (const line of lines) await way.follow(exported + expand(line, variables), { cwd, depth: place.depth + 1 });
}

/** make does not build a file that exists: an added file would replace what a program writes. */
function noteMade(trail: Trail, cwd: string, made: readonly string[]): void {
  for (const target of made) {
    const path = resolvePath(cwd, target);
    const glob = globOf(cwd, target);
    if (glob !== null) trail.globs.made.add(glob);
    else if (path && !trail.index.files.has(path)) trail.named.set(path, 'configuration');
  }
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

/** Reads a file with its includes, each once. All of them are deciders. */
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
const heading = /^@?((?:\$(?:[({][^(){}]*[)}]|[\w@<^*])|[\w./%(){}@ \t*+='"-]){1,500}?)[ \t]{0,20}::?(?!=)([^#;]*)(?:;(.*))?/;
/** A word of a heading: `$(A:.c=.o)` is one, with everything inside it. */
const word = /(?:\$[({][^(){}]*(?:\$[({][^(){}]*[)}][^(){}]*)*[)}]|[^\s()|&])+/g;

/** Parses both languages: a heading with a colon, and indented lines below it. */
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

/** The name is the first word for just (parameters follow), and any word for make (several targets): each is tried. */
function headed(found: RegExpExecArray | null, byName: Map<string, OpenRecipe>): readonly OpenRecipe[] | null {
  if (found === null) return null;
  const [, names = '', needs = '', inline] = found;
  return (names.match(word) ?? []).map((name) => {
    const recipe = byName.get(name) ?? { needs: [], lines: [] };
    recipe.needs.push(...(needs.match(word) ?? []));
    if (inline !== undefined) recipe.lines.push(inline.trim());
    byName.set(name, recipe);
    return recipe;
  });
}

/** Prerequisites come first; each target is visited once, so that a cycle ends. */
function linesFor(targets: readonly string[], { byName, variables }: Recipes): { readonly lines: readonly string[]; readonly made: readonly string[] } {
  const lines: string[] = [];
  const seen = new Set<string>();
  const rules = rulesIn(byName, variables);
  const visit = (name: string) => {
    if (seen.has(name) || seen.size > 500) return;
    const rule = ruleFor(name, rules);
    if (rule === null) return;
    seen.add(name);
    for (const need of rule.needs) visit(need);
    lines.push(...rule.lines.map((line) => withAutomatic(line, { name, needs: rule.needs, stem: rule.stem })));
  };
  for (const target of targets) visit(target);
  return { lines, made: [...seen] };
}
