import { findFile, folderOf, type Index, resolvePath } from '../repository.ts';

/** A file of a tree with its text. */
export interface TestFile {
  readonly path: string;
  readonly text: string;
}

/** One imported name as written (`{b as c`), and the module that it names. */
export interface Imported {
  readonly name: string;
  readonly from: string;
}

export interface Cut {
  readonly imports: readonly Imported[];
  /** Everything except the import lines. */
  readonly rest: string;
}

const javascript =
  /^(?:import\s+(?:type\s+)?([^;'"()]{1,2000}?)\s*from\s*|import\s*()|(?:const|let|var)\s+([^=;'"()]{1,500}?)\s*=\s*require\(\s*)(?:'([^'\n]*)'|"([^"\n]*)")\s*\)?;?[ \t]*\n?/gm;
const python = /^(?:from[ \t]+([\w.]+)[ \t]+import[ \t]+(\([^)]{1,2000}\)|[^\n#(]+)|import[ \t]+([\w., \t]+))[ \t]*(?:\n|$)/gm;

/** Takes the import lines out of a JavaScript or Python test. Other languages are compared only by their names. */
export function cutImports({ path, text }: TestFile): Cut {
  const imports: Imported[] = [];
  if (/\.[cm]?[jt]sx?$/.test(path)) {
    const rest = text.replace(javascript, (...found: readonly (string | undefined)[]) => {
      const [, named, bare, required, one, two] = found;
      for (const name of bindings(named ?? required ?? bare ?? '')) imports.push({ name, from: one ?? two ?? '' });
      return '';
    });
    return { imports, rest };
  }
  if (!path.endsWith('.py')) return { imports, rest: text };
  const rest = text.replace(python, (_all, from?: string, names?: string, modules?: string) => {
    for (const name of listed(names ?? '')) imports.push({ name, from: from ?? '' });
    for (const name of listed(modules ?? '')) imports.push({ name: '', from: name });
    return '';
  });
  return { imports, rest };
}

/** `a, { b, c as d }` becomes a, {b and {c as d. An import without names counts as one. */
function bindings(text: string): readonly string[] {
  const [, inner = ''] = /\{([^}]*)\}/.exec(text) ?? [];
  const outer = text.replace(/\{[^}]*\}/, '');
  const all = [...listed(outer), ...listed(inner).map((name) => `{${name.replace(/^type\s+/, '')}`)];
  return all.length > 0 ? all : [''];
}

const listed = (text: string) =>
  text
    .replace(/[()]/g, '')
    .split(',')
    .map((name) => name.trim().replace(/\s+/g, ' '))
    .filter((name) => name !== '');

const roots = ['', 'src', 'lib', 'python'];

/** The file of this tree that an import means; null if it is a package, or does not exist. */
export function importedFile({ name, from }: Imported, file: string, index: Index): string | null {
  if (file.endsWith('.py')) return pythonFiles(from, name.replace(/ as .*$/, ''), file).find((path) => index.files.has(path)) ?? null;
  return isRelative(from) ? findFile(index, folderOf(file), from) : null;
}

function pythonFiles(from: string, name: string, file: string): readonly string[] {
  const [, dots = '', module = ''] = /^(\.*)(.*)$/.exec(from) ?? [];
  const folders = dots === '' ? [...roots, folderOf(file)] : [resolvePath(folderOf(file), '../'.repeat(dots.length - 1)) ?? ''];
  const path = module.replaceAll('.', '/');
  const wanted = [...(name === '' || name === '*' ? [] : [`${path}/${name}`]), path];
  return wanted.flatMap((each) => folders.flatMap((folder) => [resolvePath(folder, `${each}.py`) ?? '', resolvePath(folder, `${each}/__init__.py`) ?? '']));
}

export const isRelative = (from: string) => from.startsWith('./') || from.startsWith('../');
