import { append, type Bed, type Probe, splitWord } from './plant.ts';
import { insertInPython } from './python.ts';

export interface Probed {
  readonly text: string;
  readonly probes: readonly Probe[];
}

/** The most probes in one file: the first ones of a long file. */
const MOST_PROBES = 60;

/** The literals that the tests of a project expect of the same expression: no honest value equals two of them. */
export type Wanted = ReadonlyMap<string, ReadonlySet<string>>;

export function wantedIn(files: readonly Pick<Bed, 'path' | 'text'>[]): Wanted {
  const wanted = new Map<string, Set<string>>();
  for (const { path, text } of files) {
    for (const { from, to, literal } of assertionsIn(path, text)) {
      const value = text.slice(from, to).trim();
      if (literal !== null) wanted.set(value, (wanted.get(value) ?? new Set()).add(literal));
    }
  }
  return wanted;
}

function assertionsIn(path: string, text: string): readonly Assertion[] {
  const all = path.endsWith('.py') ? inPython(text) : inJavascript(text);
  // Replacing an assertion would shift another one inside it.
  return all.filter(({ from }, at) => from >= (all[at - 1]?.to ?? 0)).slice(0, MOST_PROBES);
}

/** Null if there is no assertion to probe. */
export function probesIn({ path, text, token }: Bed, wanted: Wanted = new Map()): Probed | null {
  const isPython = path.endsWith('.py');
  const found = assertionsIn(path, text);
  if (found.length === 0) return null;
  const word = token();
  const seen = new Map<string, number>();
  const probes = found.map(({ said }, at): Probe => {
    const count = (seen.get(said) ?? 0) + 1;
    seen.set(said, count);
    return { key: digestOf(`${said}#${count}`), token: `${word}x${at}x` };
  });
  const asking = found.reduceRight((rest, { from, to, ask }, at) => `${rest.slice(0, from)}${ask(word, rest.slice(from, to), at)}${rest.slice(to)}`, text);
  const choices = JSON.stringify(Object.fromEntries(found.map(({ from, to }, at) => [at, choicesOf(wanted.get(text.slice(from, to).trim()))])));
  const lines = isPython ? pythonLines(word, choices) : javascriptLines(word, { kinds: kindsOf(found), choices, isTyped: /\.[cm]?tsx?$/.test(path) });
  return { text: isPython ? insertInPython(asking, lines) : append(asking, lines), probes };
}

const MOST_CHOICES = 8;

/** Values of one type, and only if there are two: a single one tells nothing. */
function choicesOf(literals: ReadonlySet<string> | undefined): readonly (string | number)[] {
  const values = [...(literals ?? [])].slice(0, MOST_CHOICES).map((literal) => (/^['"]/.test(literal) ? literal.slice(1, -1) : Number(literal)));
  const alike = values.filter((value) => typeof value === typeof values[0]);
  const different = [...new Set(alike)];
  return different.length > 1 ? different : [];
}

interface Assertion {
  /** The position of the compared value. */
  readonly from: number;
  readonly to: number;
  /** The expected value, if it is a plain string or number. */
  readonly literal: string | null;
  /** The assertion up to the end of its line. */
  readonly said: string;
  /** A call that fails unless `v` and `w`, which stand for the two values, are equal. */
  readonly kind: string;
  readonly ask: (word: string, value: string, at: number) => string;
}

const JAVASCRIPT = /(?<![\w$.])(expect|assert(?:\.strict)?\.(?:equal|strictEqual|deepEqual|deepStrictEqual))\s*\(/g;
const MATCHER = /^\)\s*\.(toBe|toEqual|toStrictEqual|to\.equal|to\.eql|to\.deep\.equal|to\.be\.equal)\s*\(/;

function inJavascript(text: string): readonly Assertion[] {
  return [...text.matchAll(JAVASCRIPT)].flatMap((call): readonly Assertion[] => {
    const from = call.index + call[0].length;
    const to = endOfValue(text, from, /[/`]/);
    const kind = to === null ? null : kindOf(call[1] ?? '', text.slice(to, to + 60));
    if (to === null || kind === null) return [];
    const literal = literalIn(text.slice(to, to + 300).replace(kind.startsWith('expect') ? MATCHER : /^,/, ''));
    return [{ from, to, kind, literal, said: lineOf(text, call.index, to), ask: (word, value, at) => `ralph${word}${suffixOf(kind)}(${value}, ${at})` }];
  });
}

/** Null if it does not compare two values. */
function kindOf(name: string, behind: string): string | null {
  if (name !== 'expect') return behind.startsWith(',') ? `${name}(v, w)` : null;
  const matcher = MATCHER.exec(behind)?.[1];
  return matcher === undefined ? null : `expect(v).${matcher}(w)`;
}

/** A literal at the beginning, up to the end of the argument or of the line. */
const literalIn = (text: string) => /^\s*('[^'\\\n]*'|"[^"\\\n]*"|-?\d+(?:\.\d+)?)\s*(?:[,);\n]|$)/.exec(text)?.[1] ?? null;

const PLAIN = /^([ \t]+)assert ((?:'[^'\n]*'|"[^"\n]*"|[^'"\n]){1,300}?) == /gm;
const METHOD = /(?<![\w.])self\.assertEqual\s*\(/g;
/** Operators that bind less tightly than `==`, and other comparisons. */
const LOOSE = /\b(?:and|or|not|in|is|if|else|lambda)\b|[<>#]|!=|:=/;

function inPython(text: string): readonly Assertion[] {
  const plain = [...text.matchAll(PLAIN)].flatMap((match): readonly Assertion[] => {
    const value = match[2] ?? '';
    const to = match.index + match[0].length - ' == '.length;
    const from = to - value.length;
    if (LOOSE.test(value.replace(/'[^']*'|"[^"]*"/g, '')) || endOfValue(`${value})`, 0, /#/) !== value.length) return [];
    const literal = literalIn(text.slice(to + ' == '.length, to + 300));
    return [{ from, to, kind: '', literal, said: lineOf(text, match.index, from), ask: (word, asked, at) => `ralph_${word}(${asked}, ${at})` }];
  });
  const methods = [...text.matchAll(METHOD)].flatMap((match): readonly Assertion[] => {
    const from = match.index + match[0].length;
    const to = endOfValue(text, from, /#/);
    if (to === null || text[to] !== ',' || /^\s*(?:\*|\w+\s*=[^=])/.test(text.slice(from, to))) return [];
    const literal = literalIn(text.slice(to + 1, to + 300));
    return [{ from, to, kind: '', literal, said: lineOf(text, match.index, to), ask: (word, asked, at) => `ralph_${word}(${asked}, ${at}, self.assertEqual)` }];
  });
  return [...plain, ...methods].sort((one, other) => one.from - other.from);
}

const MOST_CHARS = 500;
const CLOSES: Readonly<Record<string, string>> = { '(': ')', '[': ']', '{': '}' };

/** A string on one line, or one character. */
const PIECE = /'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|[\s\S]/g;

/** The end of the first value after an opening bracket: at a comma or at the closing bracket. Null if that is not clear. */
function endOfValue(text: string, from: number, unclear: RegExp): number | null {
  const open: string[] = [];
  const rest = text.slice(from, from + MOST_CHARS);
  for (const { 0: piece, index } of rest.matchAll(PIECE)) {
    if (piece.length > 1) continue;
    if (open.length === 0 && /[,)]/.test(piece)) return isValue(rest.slice(0, index)) ? from + index : null;
    if (unclear.test(piece) || !fits(piece, open)) return null;
  }
  return null;
}

const isValue = (text: string) => text.trim() !== '' && !text.trim().startsWith('...');

/** Whether it closes what was opened last, or closes nothing. A single quote starts a string of several lines, which is not supported. */
function fits(piece: string, open: string[]): boolean {
  const close = CLOSES[piece];
  if (close !== undefined) open.push(close);
  return !/['"]/.test(piece) && (!/[)\]}]/.test(piece) || open.pop() === piece);
}

function lineOf(text: string, from: number, to: number): string {
  const end = text.indexOf('\n', to);
  return text.slice(from, end === -1 ? text.length : end).trim();
}

const kindsOf = (found: readonly Assertion[]) => [...new Set(found.map(({ kind }) => kind))];
const suffixOf = (kind: string) => kind.replace(/\W/g, '');

interface Asking {
  readonly kinds: readonly string[];
  /** The literals that may be expected, for each assertion, as an object. */
  readonly choices: string;
  readonly isTyped: boolean;
}

/** Function declarations exist before the first line of the file runs. In a loop, only the first value of an assertion is probed. */
function javascriptLines(whole: string, { kinds, choices, isTyped }: Asking): readonly string[] {
  const { first, second } = splitWord(whole);
  const [any, number, global, table] = isTyped ? [': any', ': number', '(globalThis as any)', `(${choices} as any)`] : ['', '', 'globalThis', `(${choices})`];
  return kinds.flatMap((kind) => [
    `function ralph${whole}${suffixOf(kind)}(v${any}, at${number})${any} {`,
    `  const token = ["${first}", "${second}"].join("") + "x" + at + "x";`,
    `  const asked = (${global}.ralphAsked ??= {});`,
    '  if (asked[token]) return v;',
    '  asked[token] = true;',
    `  const isNoticed = (w${any}) => { try { ${kind}; return false; } catch { return true; } };`,
    `  const isEqualToTwo = ${table}[at].filter((w${any}) => !isNoticed(w)).length > 1;`,
    '  if (!isEqualToTwo && isNoticed(token)) process.stderr.write(token + "\\n");',
    '  return v;',
    '}',
  ]);
}

/** Runners capture what a test prints, so the token is written when they exit. */
function pythonLines(whole: string, choices: string): readonly string[] {
  const { first, second } = splitWord(whole);
  return [
    '',
    '',
    `def ralph_${whole}(v, at, own=None, asked=set()):  # type: ignore`,
    `    token = '${first}' + '${second}' + 'x' + str(at) + 'x'`,
    '    def is_noticed(w):',
    '        try:',
    '            if own is None:',
    '                assert v == w',
    '            else:',
    '                own(v, w)',
    '        except Exception:',
    '            return True',
    '        return False',
    '    if token not in asked:',
    '        asked.add(token)',
    `        is_equal_to_two = len([w for w in ${choices}[str(at)] if not is_noticed(w)]) > 1`,
    '        if not is_equal_to_two and is_noticed(token):',
    "            __import__('atexit').register(__import__('os').write, 2, (token + '\\n').encode())",
    '    return v',
    '',
    '',
  ];
}

/** Eight hexadecimal digits of a hash: enough to tell the assertions of a file apart. It keeps nothing secret. */
function digestOf(text: string): string {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return (hash >>> 0).toString(16).padStart(8, '0');
}
