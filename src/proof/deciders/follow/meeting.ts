/** Commands whose texts are compared or combined: those of a pipeline, or a test with everything that is substituted into its words. */
export interface Meeting {
  /** Whether one of them compares. */
  compares: boolean;
  /** Whether one of them is a program, so that its output is one of the texts. */
  runs: boolean;
  /** Words for the files that are among the texts. */
  readonly reads: Set<string>;
  /** Words for the files that are compared character by character. */
  readonly exact: Set<string>;
  /** Words for files that a program gets as arguments. */
  readonly given: Set<string>;
  /** Relative to the top; null if unknown. */
  cwd: string | null;
}

export const newMeeting = (cwd: string | null): Meeting => ({ compares: false, runs: false, reads: new Set(), exact: new Set(), given: new Set(), cwd });

const words = (text: string): ReadonlySet<string> => new Set(text.split(' '));
const comparers = words('diff cmp comm sdiff wdiff colordiff join grep egrep fgrep zgrep rg test [');
const exact = words('diff cmp comm sdiff wdiff colordiff');
const checksums = /^(?:sha\d*|md5|b2|shasum|ck)sum$|^shasum$/;
const readers = words('cat head tail sort uniq cut sed awk gawk mawk wc jq yq paste nl tac rev od xxd hexdump base64 column fold fmt expand');
/** Their first word is a pattern or a program, unless an option provides it. */
const scripted = words('grep egrep fgrep zgrep rg sed awk gawk mawk jq yq');
/** These neither compare nor run anything of the project. */
const silent = words(
  'true false : echo printf tr ls cd pushd popd pwd set export unset local readonly declare trap wait sleep mkdir rm cp mv touch chmod find git exit return shift read mapfile readarray which type ulimit umask date tee kill mktemp basename dirname xargs break continue let seq',
);

/** Their first word is the program that they run, not its input. */
const interpreters = /^(?:[bdkz]?a?sh|node|tsx|python[\d.]*|ruby|perl|php|deno|bun)$/;

/** A list of checksums names its files: what a program has made of them is the other text. */
const isCheck = (name: string, rest: readonly string[]) => checksums.test(name) && rest.some((word) => /^-\w*c\w*$|^--check$/.test(word));

const reads = (name: string) => comparers.has(name) || readers.has(name) || checksums.test(name);

/** Adds a command to a meeting. */
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
