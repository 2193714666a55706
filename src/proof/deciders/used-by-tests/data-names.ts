import { globs } from '../globs.ts';
import { folderOf, foldersAbove, isProduct, isWithin, nameOf, resolvePath } from '../repository.ts';
import { isCode } from './modules.ts';

/** Folders whose files the product, its users or another program reads. */
const shipped =
  /(?:^|\/)(?:public|static|assets|locales?|i18n|lang|translations?|docs?|schemas?|migrations?|config|configs|\.[\w-]+|templates?|views|styles|content|www|site|examples?)\//;
const named = /golden|expect|fixture|snapshot|approved|baseline|(?:^|[/._-])(?:cases|want|wanted|answers?)(?:[/._-]|$)/i;
const apart =
  /\.(?:md|mdx|rst|adoc|html?|css|scss|lock|sum|png|ico|wasm|map)$|^(?:package|composer|deno|manifest|openapi|swagger|tsconfig|jsconfig)[\w.-]*\.(?:json|ya?ml)$|-lock\.|\.schema\.json$|^(?:requirements|constraints)[\w-]*\.txt$|^(?:LICENSE|README|CHANGELOG|Makefile|Dockerfile|VERSION)/i;

/** Whether it is data that can be a part of the tests: no code, no prose, nothing that is shipped. */
export function mayBeTestData(path: string): boolean {
  if (isCode(path) || /\.d\.[cm]?ts$/.test(path) || !/\.\w+$/.test(nameOf(path)) || apart.test(nameOf(path))) return false;
  return named.test(path) || !(isProduct(path) || shipped.test(path));
}

const lists = /\b(?:readdir|readdirSync|opendir|listdir|scandir|iterdir|r?glob|globSync|walk|ReadDir|WalkDir|read_dir)\b/;
const MOST_CHARS = 200_000;

function quotedIn(text: string): readonly string[] {
  const quoted = text.slice(0, MOST_CHARS).matchAll(/'([^'\n]{1,200})'|"([^"\n]{1,200})"|`([^`\n]{1,200})`/g);
  return [...quoted].map(([, one, two, three]) => one ?? two ?? three ?? '');
}

/** Which of these files a test names: by its path from any folder above the test, in parts that are joined, with variables, or by its folder. */
export function dataNamedBy(path: string, text: string, wanted: readonly string[]): readonly string[] {
  const names = wanted.filter((each) => text.includes(nameOf(each)));
  const isListing = lists.test(text);
  if (names.length === 0 && !isListing && !/[{*]/.test(text)) return [];
  const words = quotedIn(text);
  const folders = [folderOf(path), ...foldersAbove(path), ''];
  const meant = new Set(words.flatMap((word) => folders.flatMap((folder) => resolvePath(folder, word) ?? [])));
  const open = words.filter((word) => /\$?\{|[*]/.test(word) && /[\w/]/.test(word.replace(/\$?\{[^}]*\}|\*/g, '').replace(/\.\w+$/, '')));
  const patterns = open.map((word) => word.replace(/\$?\{[^}]*\}/g, '*')).flatMap((word) => folders.flatMap((folder) => resolvePath(folder, word) ?? []));
  const matches = globs(patterns);
  const isJoined = (each: string) =>
    names.includes(each) &&
    words.some((word) => word.endsWith(nameOf(each))) &&
    folderOf(each)
      .split('/')
      .every((part) => part === '' || text.includes(part));
  const isListed = (each: string) => isListing && [...meant].some((folder) => folder !== '' && isWithin(each, folder));
  return wanted.filter((each) => meant.has(each) || matches.test(each) || isJoined(each) || isListed(each));
}

const reads =
  /\b(?:readFile|readFileSync|createReadStream|open|read_csv|loads?|glob|globSync|readdir|readdirSync|Path|import|require|ReadFile|Open|read_to_string|include_str|cat)\b/;

/** Whether a source may read the file: it has its name, or reads something and has the name of its folder. */
export function mayRead(text: string, path: string): boolean {
  if (text.includes(nameOf(path))) return true;
  const folder = nameOf(folderOf(path));
  return folder !== '' && reads.test(text) && new RegExp(`['"\`/]${folder.replace(/[^\w]/g, '\\$&')}['"\`/]`).test(text);
}
