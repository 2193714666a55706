/** Commands whose texts meet: those of a pipeline, or a test with all that is substituted into its words. */
export interface Meeting {
  /** One of them compares. */
  compares: boolean;
  /** One of them is a program, so that what it prints is one of the texts. */
  runs: boolean;
  /** Words for the files whose texts are others of them. */
  readonly reads: Set<string>;
  /** Words for the files that are compared letter by letter. */
  readonly exact: Set<string>;
  /** Words for files that are given to a program as arguments. */
  readonly given: Set<string>;
  /** Below the top; null: nobody knows where. */
  cwd: string | null;
}

export const newMeeting = (cwd: string | null): Meeting => ({ compares: false, runs: false, reads: new Set(), exact: new Set(), given: new Set(), cwd });

const words = (text: string): ReadonlySet<string> => new Set(text.split(' '));
const comparers = words('diff cmp comm sdiff wdiff colordiff join grep egrep fgrep zgrep rg test [');
const exact = words('diff cmp comm sdiff wdiff colordiff');
const checksums = /^(?:sha\d*|md5|b2|shasum|ck)sum$|^shasum$/;
const readers = words('cat head tail sort uniq cut sed awk gawk mawk wc jq yq paste nl tac rev od xxd hexdump base64 column fold fmt expand');
/** Their first word is a pattern or a program, unless an option has brought it. */
const scripted = words('grep egrep fgrep zgrep rg sed awk gawk mawk jq yq');
/** Neither compare nor run anything of the project. */
const silent = words(
  'true false : echo printf tr ls cd pushd popd pwd set export unset local readonly declare trap wait sleep mkdir rm cp mv touch chmod find git exit return shift read mapfile readarray which type ulimit umask date tee kill mktemp basename dirname xargs break continue let seq',
);

/** Their first word is the program that they run, and no input of it. */
const interpreters = /^(?:[bdkz]?a?sh|node|tsx|python[\d.]*|ruby|perl|php|deno|bun)$/;

/** A list of checksums names its files: what a program has made of them is the other text. */
const isCheck = (name: string, rest: readonly string[]) => checksums.test(name) && rest.some((word) => /^-\w*c\w*$|^--check$/.test(word));

const reads = (name: string) => comparers.has(name) || readers.has(name) || checksums.test(name);

/** Adds what a command brings to a meeting. */
export function join(meeting: Meeting, words: readonly string[]): void {
  const [name = '', ...rest] = words.includes('--no-index') ? words.slice(words.indexOf('diff')) : words;
  if (name === '' || silent.has(name)) return;
  const isReader = reads(name);
  meeting.compares ||= comparers.has(name) || isCheck(name, rest);
  meeting.runs ||= !isReader || isCheck(name, rest);
  const named = isReader ? filesAmong(name, rest) : givenTo(name, rest);
  const places = [isReader ? meeting.reads : meeting.given, ...(exact.has(name) ? [meeting.exact] : [])];
  for (const place of places) for (const word of named) place.add(word);
}

const givenTo = (name: string, rest: readonly string[]) => rest.filter((word) => !word.startsWith('-')).slice(interpreters.test(name) ? 1 : 0);

function filesAmong(name: string, rest: readonly string[]): readonly string[] {
  if (name === 'test' || name === '[') return [];
  if (!scripted.has(name)) return rest.filter((word) => !word.startsWith('-'));
  const isFile = (at: number) => /^-\w*f$|^--(?:file|from-file)$/.test(rest[at - 1] ?? '');
  const isPattern = (at: number) => /^-\w*e$|^--(?:regexp|expression|arg)$/.test(rest[at - 1] ?? '');
  const hasPattern = rest.some((_, at) => isFile(at) || isPattern(at));
  const plain = rest.filter((word, at) => !word.startsWith('-') && !isFile(at) && !isPattern(at));
  return [...rest.filter((_, at) => isFile(at)), ...plain.slice(hasPattern ? 0 : 1)];
}
