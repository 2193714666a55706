import { absolute, baseName } from '../paths.ts';
import { DOWNLOADED, textStream, UNKNOWN } from '../step.ts';
import { HOLE, MADE } from './holes.ts';
import { readOptions } from './options.ts';
import type { Around, Shell } from './shell.ts';

interface Doing {
  readonly args: readonly string[];
  readonly around: Around;
  readonly shell: Shell;
}

/** Longer paths are not followed: every step in them costs their length. */
const LONGEST_PATH = 512;

type Effect = (doing: Doing) => void;

const at = (path: string, { around, shell }: Doing) => absolute(path, { cwd: around.scope.cwd, home: shell.place.home });
const operandsOf = (args: readonly string[]) => args.filter((word) => !word.startsWith('-'));

const changeFolder: Effect = (doing) => {
  const [target] = doing.args.filter((word) => word === '-' || !word.startsWith('-'));
  const where = target === '-' ? HOLE : at(target ?? '~', doing);
  doing.around.scope.cwd = where.length > LONGEST_PATH ? HOLE : where;
};

const setVariables: Effect = ({ args, around }) => {
  for (const word of operandsOf(args)) {
    const equals = word.indexOf('=');
    if (equals > 0) around.scope.variables.set(word.slice(0, equals), word.slice(equals + 1));
  }
};

const setAliases: Effect = ({ args, around }) => {
  for (const word of operandsOf(args)) {
    const equals = word.indexOf('=');
    if (equals > 0) around.scope.aliases.set(word.slice(0, equals), word.slice(equals + 1));
  }
};

/** `set -- a b` replaces the arguments from here on. */
const setArguments: Effect = ({ args, around }) => {
  const first = args.findIndex((word, index) => !/^[-+]/.test(word) && !/^[-+]o$/.test(args[index - 1] ?? ''));
  const end = args.indexOf('--');
  if (end !== -1) around.scope.args = args.slice(end + 1);
  else if (first !== -1) around.scope.args = args.slice(first);
};

const shiftArguments: Effect = ({ args: [count = '1'], around }) => {
  around.scope.args = around.scope.args?.slice(Number(count) || 1) ?? null;
};

/** The words of a single line; null when they are unknown. */
const wordsRead = (text: string | null) => (text === null || text.trim().includes('\n') ? null : text.trim().split(/\s+/));

/** The last variable gets the rest of the line; an array gets each word. */
const readVariables: Effect = ({ args, around }) => {
  const { operands: names, values } = readOptions(args, ['d', 'i', 'n', 'N', 'p', 't', 'u', 'a']);
  const words = wordsRead(around.input?.text ?? null);
  for (const name of values.get('a') ?? []) around.scope.variables.set(name, words ?? [MADE]);
  for (const [index, name] of names.entries()) {
    const value = words === null ? MADE : index === names.length - 1 ? words.slice(index).join(' ') : (words[index] ?? '');
    around.scope.variables.set(name, value);
  }
};

const forget: Effect = ({ args, around }) => {
  for (const name of operandsOf(args)) around.scope.variables.set(name, '');
};

const copyFiles: Effect = (doing) => {
  const { files } = doing.around.scope;
  const paths = operandsOf(doing.args);
  const to = paths.at(-1);
  for (const from of paths.slice(0, -1)) {
    const stream = files.get(at(from, doing));
    if (stream === undefined || to === undefined) continue;
    files.set(at(to, doing), stream);
    files.set(at(`${to}/${baseName(from)}`, doing), stream);
  }
};

/** Records a link: paths below it are paths below its target. */
const linkFiles: Effect = (doing) => {
  copyFiles(doing);
  const [from, to = baseName(from ?? '')] = operandsOf(doing.args);
  if (from !== undefined && to !== '') doing.around.scope.links.set(at(to, doing), at(from, doing));
};

/** Records the file that a download writes. Its content is unknown. */
const download: Effect = (doing) => {
  const { values, letters, operands } = readOptions(doing.args, ['o', 'O', 'H', 'd', 'X', 'u', 'A', 'e', 'P', '--output', '--output-document']);
  const isCurl = doing.args[0] === 'curl';
  const named = ['o', '--output', '--output-document', ...(isCurl ? [] : ['O'])].flatMap((name) => values.get(name) ?? []);
  const own = letters.has('O') || !isCurl ? operands.map(baseName) : [];
  for (const path of [...named, ...own, ...(values.get('O') ?? []).map(baseName)]) doing.around.scope.files.set(at(path, doing), DOWNLOADED);
};

const tee: Effect = (doing) => {
  for (const path of operandsOf(doing.args)) doing.around.scope.files.set(at(path, doing), doing.around.input ?? UNKNOWN);
};

const dd: Effect = (doing) => {
  const to = doing.args.find((word) => word.startsWith('of='));
  if (to !== undefined) doing.around.scope.files.set(at(to.slice('of='.length), doing), doing.around.input ?? UNKNOWN);
};

const printfInto: Effect = ({ args, around }) => {
  if (args[0] === '-v' && args[1] !== undefined) around.scope.variables.set(args[1], textStream(args.slice(3).join('')).text ?? HOLE);
};

const EFFECTS: Readonly<Record<string, Effect>> = {
  cd: changeFolder,
  pushd: changeFolder,
  popd: ({ around }) => {
    around.scope.cwd = HOLE;
  },
  export: setVariables,
  declare: setVariables,
  typeset: setVariables,
  local: setVariables,
  readonly: setVariables,
  alias: setAliases,
  set: setArguments,
  shift: shiftArguments,
  read: readVariables,
  mapfile: ({ args, around }) => {
    around.scope.variables.set(operandsOf(args).at(-1) ?? 'MAPFILE', MADE);
  },
  unset: forget,
  cp: copyFiles,
  mv: copyFiles,
  ln: linkFiles,
  install: copyFiles,
  curl: (doing) => download({ ...doing, args: ['curl', ...doing.args] }),
  wget: download,
  tee,
  dd,
  printf: printfInto,
};

/** Applies what a command changes for the commands after it: the folder, variables, and files that may be run. */
export function takeEffect(name: string, doing: Doing): void {
  if (Object.hasOwn(EFFECTS, name)) EFFECTS[name]?.(doing);
}
