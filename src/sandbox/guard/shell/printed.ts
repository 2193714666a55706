import { absolute, baseName, folderOf } from '../paths.ts';
import type { GuardPlace } from '../rule.ts';
import { DOWNLOADED, NOTHING, type Stream, textStream, UNKNOWN } from '../step.ts';
import { fromBase32, fromBase64, fromHex, translated, unescaped, withoutLetters } from './decode.ts';
import { hasHole, MADE, STAR } from './holes.ts';
import { readOptions } from './options.ts';
import type { Scope } from './shell.ts';

interface Printing {
  readonly args: readonly string[];
  readonly input: Stream | null;
  readonly scope: Scope;
  readonly place: GuardPlace;
}

type Prints = (printing: Printing) => Stream;

const decoded = (decode: (text: string) => string): Prints => {
  return ({ input, args, scope, place }) => {
    const read = sourceOf({ input, args, scope, place });
    return { text: read.text === null || hasHole(read.text) ? null : decode(read.text), origin: 'decoded' };
  };
};

/** A filter on characters: if its input is known, so is its output. */
const filtered = (filter: (text: string) => string): Prints => {
  return (printing) => {
    const { text, origin } = sourceOf(printing);
    return text === null ? { text, origin } : textStream(filter(text), origin);
  };
};

/** The input of a filter: a named file that this line has written, or stdin. */
function sourceOf({ args, input, scope, place }: Printing): Stream {
  const file = args.find((word) => !word.startsWith('-') && scope.files.has(absolute(word, { cwd: scope.cwd, home: place.home })));
  if (file !== undefined) return scope.files.get(absolute(file, { cwd: scope.cwd, home: place.home })) ?? UNKNOWN;
  return args.some((word) => !word.startsWith('-')) ? UNKNOWN : (input ?? UNKNOWN);
}

const download: Prints = () => DOWNLOADED;
const lines = (words: readonly string[]) => textStream(words.map((word) => `${word}\n`).join(''));
const isDecoding = (args: readonly string[]) => args.some((word) => /^(-[a-z]*[dD]|--decode|-[a-z]*r)/.test(word));
const reversed = (text: string) =>
  text
    .split('\n')
    .map((line) => [...line].reverse().join(''))
    .join('\n');

function echo({ args }: Printing): Stream {
  const first = args.findIndex((word) => !/^-[neE]+$/.test(word));
  const flags = args.slice(0, first === -1 ? args.length : first).join('');
  const text = args.slice(first === -1 ? args.length : first).join(' ');
  return textStream(`${flags.includes('e') ? unescaped(text) : text}${flags.includes('n') ? '' : '\n'}`);
}

function printf({ args }: Printing): Stream {
  const [format = '', ...values] = args[0] === '--' ? args.slice(1) : args;
  const holders = format.match(/%[-\d.]*[sbdcq]/g)?.length ?? 0;
  const left = [...values];
  const once = () =>
    unescaped(format)
      .replaceAll(/%([-\d.]*)([sbdcq])/g, (_, _width, kind: string) => (kind === 'b' ? unescaped(left.shift() ?? '') : (left.shift() ?? '')))
      .replaceAll('%%', '%');
  let text = once();
  while (holders > 0 && left.length > 0) text += once();
  return textStream(text);
}

function cat(printing: Printing): Stream {
  if (printing.args.some((word) => /^\/dev\/(zero|u?random)$/.test(word))) return { text: null, origin: 'endless' };
  return sourceOf({ ...printing, args: printing.args.filter((word) => word !== '-') });
}

function tr({ args, input }: Printing): Stream {
  const sets = args.filter((word) => !/^-[a-zA-Z]+$/.test(word));
  const { text, origin } = input ?? UNKNOWN;
  if (text === null) return { text, origin };
  if (args.some((word) => /^-[a-z]*d/.test(word))) return textStream(withoutLetters(text, sets[0] ?? ''), origin);
  return textStream(translated(text, sets[0] ?? '', sets[1] ?? ''), origin);
}

/** The paths that find starts from. Found paths begin with them, and without a filter they are found themselves. */
export function findStarts(args: readonly string[]): readonly string[] {
  const end = args.findIndex((word) => /^[-(!]/.test(word) && !/^-[HLP]$/.test(word));
  const starts = args.slice(0, end === -1 ? args.length : end).filter((word) => !word.startsWith('-'));
  return starts.length === 0 ? ['.'] : starts;
}

const FILTERS = /^-(i?name|i?path|i?wholename|i?regex|newer.*|[acm](time|min)|size|empty|perm|user|inum|links|samefile)$/;
export const isFindFiltered = (args: readonly string[]): boolean =>
  args.some((word, at) => FILTERS.test(word) && args[at + 1] !== STAR && args[at + 1] !== '*');

const find: Prints = ({ args }) => lines(findStarts(args).map((start) => (isFindFiltered(args) ? `${start.replace(/\/$/, '')}/${MADE}` : start)));

function ls({ args }: Printing): Stream {
  const folders = args.filter((word) => !word.startsWith('-'));
  return lines(folders.length === 0 ? [STAR] : folders);
}

function folderName(path: string): string {
  if (path.includes('/')) return folderOf(path);
  return hasHole(path) ? MADE : '.';
}

/** The list of all processes of a user: for `kill` it is the same as -1. */
const EVERYBODY = lines(['-1']);
const pgrep: Prints = ({ args }) => {
  const { operands, values, letters } = readOptions(args, ['u', 'U', 'g', 'P', 's', 't', 'G', 'd']);
  const isOfAll = operands.every((word) => /^[.*^]*$/.test(word)) && !['g', 'P', 's', 't'].some((name) => values.has(name));
  return isOfAll && !letters.has('n') && !letters.has('o') ? EVERYBODY : UNKNOWN;
};
const ps: Prints = ({ args }) => (args.some((word) => /^(-{1,2}(p|pid|q|C|ppid)|p)\b/.test(word)) ? UNKNOWN : EVERYBODY);

/** One column of every line is treated like the whole input. */
const awk: Prints = ({ args, input }) =>
  args.some((word) => /^\s*(NR\s*>\s*1\s*)?\{\s*print\s+\$\d+;?\s*\}\s*$/.test(word)) ? (input ?? UNKNOWN) : { text: null, origin: input?.origin ?? 'plain' };

const last = (args: readonly string[]) => args.filter((word) => !word.startsWith('-')).at(-1) ?? '';

const PRINTS: Readonly<Record<string, Prints>> = {
  echo,
  printf,
  cat,
  tr,
  find,
  ls,
  pgrep,
  ps,
  awk,
  gawk: awk,
  tac: cat,
  rev: filtered(reversed),
  head: (printing) => ({ ...cat(printing), origin: 'plain' }),
  yes: () => ({ text: null, origin: 'endless' }),
  tail: cat,
  sort: cat,
  uniq: cat,
  tee: (printing) => printing.input ?? UNKNOWN,
  base64: (printing) => (isDecoding(printing.args) ? decoded(fromBase64)({ ...printing, args: [] }) : UNKNOWN),
  base32: (printing) => (isDecoding(printing.args) ? decoded(fromBase32)({ ...printing, args: [] }) : UNKNOWN),
  xxd: (printing) => (isDecoding(printing.args) ? decoded(fromHex)({ ...printing, args: [] }) : UNKNOWN),
  openssl: ({ args, ...rest }) =>
    args.includes('-d') && args.some((word) => /base64|^-a$/.test(word)) ? decoded(fromBase64)({ ...rest, args: [] }) : { text: null, origin: 'decoded' },
  gunzip: () => ({ text: null, origin: 'decoded' }),
  zcat: () => ({ text: null, origin: 'decoded' }),
  gzip: () => ({ text: null, origin: 'decoded' }),
  uudecode: () => ({ text: null, origin: 'decoded' }),
  curl: download,
  wget: download,
  fetch: download,
  aria2c: download,
  http: download,
  https: download,
  lynx: download,
  nc: download,
  ncat: download,
  netcat: download,
  telnet: download,
  dig: download,
  host: download,
  nslookup: download,
  pwd: ({ scope }) => lines([scope.cwd]),
  which: ({ args }) => lines([last(args)]),
  mktemp: ({ args }) => lines([args.includes('-p') || last(args).startsWith('/') ? last(args) : `/tmp/${MADE}`]),
  basename: ({ args }) => lines([baseName(args.find((word) => !word.startsWith('-')) ?? '')]),
  dirname: ({ args }) => lines([folderName(last(args))]),
  realpath: ({ args, scope, place }) => lines([absolute(last(args), { cwd: scope.cwd, home: place.home })]),
  readlink: ({ args, scope, place }) => lines([absolute(last(args), { cwd: scope.cwd, home: place.home })]),
  whoami: () => UNKNOWN,
  git: ({ args, place }) => (args.includes('--show-toplevel') ? lines([place.root]) : UNKNOWN),
  true: () => NOTHING,
  ':': () => NOTHING,
  cd: () => NOTHING,
  export: () => NOTHING,
  set: () => NOTHING,
  sleep: () => NOTHING,
};

/** What a command prints, as far as it is known without running it. */
export function printedBy(name: string, printing: Printing): Stream {
  const prints = Object.hasOwn(PRINTS, name) ? PRINTS[name] : undefined;
  if (prints !== undefined) return prints(printing);
  // A filter passes on where its input came from.
  return { text: null, origin: printing.input?.origin ?? 'plain' };
}
