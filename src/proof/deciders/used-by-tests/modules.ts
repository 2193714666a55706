import { cutImports, importedFile } from '../changes/imports.ts';
import { findFile, folderOf, type Index, importsOf, isWithin } from '../repository.ts';

export const isCode = (path: string) => /(?<!\.min)\.(?:[cm]?[jt]sx?|vue|svelte|py|go|rs|rb|php|java|kt|cs|sh)$/.test(path) && !/\.d\.[cm]?ts$/.test(path);
export const isJavascript = (path: string) => /\.[cm]?[jt]sx?$|\.(?:vue|svelte)$/.test(path);

const aliased = /(?:\bfrom|\bimport|\brequire)\s{0,20}\(?\s{0,20}(?:'[@~#]\/?([^'\n]+)'|"[@~#]\/?([^"\n]+)")/g;
const inside = /^[ \t]+(?=(?:from[ \t]+[\w.]+[ \t]+import|import[ \t]+\w))/gm;
const goImport = /^\s*(?:import\s+)?(?:[\w.]+\s+)?"([\w./~-]+\/[\w.~-]+)"\s*$/gm;

/** The files of its own tree that a source or a test imports, in JavaScript, Python and Go. */
export function targetsOf(path: string, text: string, index: Index): readonly string[] {
  const found = path.endsWith('.go') ? inGo(path, text, index) : path.endsWith('.py') ? inPython(path, text, index) : inJavascript(path, text, index);
  return [...new Set(found)].filter((each) => each !== path);
}

function inJavascript(path: string, text: string, index: Index): readonly string[] {
  if (!isJavascript(path)) return [];
  const words = /['"][@~#]/.test(text) ? [...text.matchAll(aliased)].map(([, one, two]) => one ?? two ?? '') : [];
  return [...importsOf(text, folderOf(path), index), ...words.flatMap((word) => findFile(index, '', word) ?? findFile(index, 'src', word) ?? [])];
}

const inPython = (path: string, text: string, index: Index) => importsIn(path, text).flatMap((each) => importedFile(each, path, index) ?? []);

/** In Python an import may be within a block, where it means the same. */
const importsIn = (path: string, text: string) => cutImports({ path, text: path.endsWith('.py') ? text.replace(inside, '') : text }).imports;

/** The names under which a file knows another one, and those that it has from elsewhere in the tree. */
export function namesOf({ path, text }: { readonly path: string; readonly text: string }, target: string, index: Index) {
  const names = { own: [] as string[], others: [] as string[] };
  for (const each of importsIn(path, text)) {
    const from = importedFile(each, path, index);
    if (from !== null) (from === target ? names.own : names.others).push(...knownAs(each.name, each.from));
  }
  return names;
}

/** `{same as equal` is known as equal, `* as check` as check, and `import checks.same` as checks. */
function knownAs(name: string, from: string): readonly string[] {
  const known =
    name
      .replace(/^\{/, '')
      .replace(/^.* as /, '')
      .replace(/^.*:\s*/, '')
      .trim() || (from.startsWith('.') ? '' : (from.split('.')[0] ?? ''));
  return /^[\p{L}_$][\p{L}\p{N}_$]*$/u.test(known) ? [known] : [];
}

/** All files of the imported packages, and those beside it, which a file of Go sees without any import. */
function inGo(path: string, text: string, { files, folders }: Index): readonly string[] {
  const imported = [...text.matchAll(goImport)].flatMap(([, word = '']) => {
    const parts = word.split('/');
    return parts.map((_, at) => parts.slice(at).join('/')).find((folder) => folders.has(folder)) ?? [];
  });
  const here = [folderOf(path), ...imported];
  const isPart = (each: string) => each.endsWith('.go') && each !== path && here.some((folder) => folderOf(each) === folder && isWithin(each, folder));
  return [...files].filter(isPart);
}
