import { append, type Bed, digestOf, type Probe, splitWord } from './plant.ts';
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
    for (const each of assertionsIn(path, text)) {
      const question = questionIn(text, each);
      if (each.literal !== null) wanted.set(question, (wanted.get(question) ?? new Set()).add(each.literal.text));
    }
  }
  return wanted;
}

function assertionsIn(path: string, text: string): readonly Assertion[] {
  const all = path.endsWith('.py') ? inPython(text) : inJavascript(text);
  // Replacing an assertion would shift another one inside it.
  return all.filter(({ from }, at) => from >= (all[at - 1]?.to ?? 0)).slice(0, MOST_PROBES);
}

interface Probing {
  readonly wanted?: Wanted;
  /** Whether the expected literals are moved to the end of the file, where no source finds them by the line that calls it. */
  readonly hidesLiterals?: boolean;
  /** Only that: no value is probed. */
  readonly probesNothing?: boolean;
}

/** Null if there is no assertion to probe. */
export function probesIn({ path, text, token }: Bed, { wanted = new Map(), hidesLiterals = false, probesNothing = false }: Probing = {}): Probed | null {
  const isPython = path.endsWith('.py');
  const found = assertionsIn(path, text);
  if (found.length === 0) return null;
  const word = token();
  const questions = found.map((each) => questionIn(text, each));
  const choices = questions.map((question) => choicesOf(wanted.get(question)));
  const isAskedTwice = found.map(({ literal }, at) => literal !== null && (choices[at]?.length ?? 0) > 1 && CLOSED.test(questions[at] ?? ''));
  const asking = found.reduceRight((rest, each, at) => {
    const { from, to, literal, ask } = each;
    const value = rest.slice(from, to);
    const again = isAskedTwice[at] && literal !== null ? againIn(isPython, questions[at] ?? '', literal.text) : '';
    const hidden = hidesLiterals && literal !== null ? `${rest.slice(to, literal.from)}ralph_${word}w(${at})${rest.slice(literal.to)}` : rest.slice(to);
    return `${rest.slice(0, from)}${probesNothing ? value : ask(word, value, `${at}`, again)}${hidden}`;
  }, text);
  const shared = { choices: tableOf(choices), literals: `[${found.map(({ literal }) => literal?.text ?? (isPython ? 'None' : 'null')).join(', ')}]` };
  const lines = isPython ? pythonLines(word, shared) : javascriptLines(word, { ...shared, kinds: kindsOf(found), isTyped: /\.[cm]?tsx?$/.test(path) });
  const whole = isPython ? insertInPython(asking, lines) : append(asking, lines);
  return { text: whole, probes: probesNothing ? [] : probesOf(found, word, isAskedTwice) };
}

function probesOf(found: readonly Assertion[], word: string, isAskedTwice: readonly boolean[]): readonly Probe[] {
  const seen = new Map<string, number>();
  return found.flatMap(({ said }, at) => {
    const count = (seen.get(said) ?? 0) + 1;
    seen.set(said, count);
    const key = digestOf(`${said}#${count}`);
    return [{ key, token: `${word}x${at}x` }, ...(isAskedTwice[at] ? [{ key: `${key}~`, token: `${word}y${at}y` }] : [])];
  });
}

const tableOf = (choices: readonly (readonly (string | number)[])[]) => JSON.stringify(Object.fromEntries(choices.map((each, at) => [at, each])));

/** A call with nothing but literals: the same question wherever and whenever it is asked. */
const CLOSED = /^[\w$.]+\((?:'[^'\\]*'|"[^"\\]*"|[\d\s,.:+\-[\]{}]|\b(?:true|false|null|undefined|True|False|None)\b)*\)$/;

const againIn = (isPython: boolean, question: string, literal: string) =>
  isPython ? `, again=lambda: ${question}, want=${literal}` : `, () => ${question}, ${literal}`;

const NEAR = 600;

/** What the value is the answer to: itself, or the call that the variable was given last. */
function questionIn(text: string, { from, to }: Pick<Assertion, 'from' | 'to'>): string {
  const value = text.slice(from, to).trim();
  if (!/^[a-z_$][\w$]*$/i.test(value)) return value;
  const before = text.slice(Math.max(0, from - NEAR), from);
  const given = [...before.matchAll(new RegExp(`(?:^|[\\s;{])${value.replaceAll('$', '\\$')} = ([^\\n;]*)`, 'g'))].at(-1)?.[1]?.trim() ?? '';
  return CLOSED.test(given) ? given : value;
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
  readonly literal: Literal | null;
  /** The assertion up to the end of its line. */
  readonly said: string;
  /** A call that fails unless `v` and `w`, which stand for the two values, are equal. */
  readonly kind: string;
  readonly ask: (word: string, value: string, at: string, again: string) => string;
}

interface Literal {
  readonly text: string;
  readonly from: number;
  readonly to: number;
}

const JAVASCRIPT = /(?<![\w$.])(expect|assert(?:\.strict)?\.(?:equal|strictEqual|deepEqual|deepStrictEqual))\s*\(/g;
const MATCHER = /^\)\s*\.(toBe|toEqual|toStrictEqual|to\.equal|to\.eql|to\.deep\.equal|to\.be\.equal)\s*\(/;

function inJavascript(text: string): readonly Assertion[] {
  return [...text.matchAll(JAVASCRIPT)].flatMap((call): readonly Assertion[] => {
    const from = call.index + call[0].length;
    const to = endOfValue(text, from, /[/`]/);
    const kind = to === null ? null : kindOf(call[1] ?? '', text.slice(to, to + 60));
    if (to === null || kind === null) return [];
    const opening = (kind.startsWith('expect') ? MATCHER : /^,/).exec(text.slice(to, to + 300))?.[0].length ?? 0;
    const ask: Assertion['ask'] = (word, value, at, again) => `ralph${word}${suffixOf(kind)}(${value}, ${at}${again})`;
    return [{ from, to, kind, literal: literalIn(text, to + opening), said: lineOf(text, call.index, to), ask }];
  });
}

/** Null if it does not compare two values. */
function kindOf(name: string, behind: string): string | null {
  if (name !== 'expect') return behind.startsWith(',') ? `${name}(v, w)` : null;
  const matcher = MATCHER.exec(behind)?.[1];
  return matcher === undefined ? null : `expect(v).${matcher}(w)`;
}

/** A literal that starts here, up to the end of the argument or of the line. */
function literalIn(text: string, at: number): Literal | null {
  const match = /^(\s*)('[^'\\\n]*'|"[^"\\\n]*"|-?\d+(?:\.\d+)?)\s*(?:[,);\n]|$)/.exec(text.slice(at, at + 300));
  const [, blank = '', literal = ''] = match ?? [];
  return match === null ? null : { text: literal, from: at + blank.length, to: at + blank.length + literal.length };
}

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
    const ask: Assertion['ask'] = (word, asked, at, again) => `ralph_${word}(${asked}, ${at}${again})`;
    return [{ from, to, kind: '', literal: literalIn(text, to + ' == '.length), said: lineOf(text, match.index, from), ask }];
  });
  const methods = [...text.matchAll(METHOD)].flatMap((match): readonly Assertion[] => {
    const from = match.index + match[0].length;
    const to = endOfValue(text, from, /#/);
    if (to === null || text[to] !== ',' || /^\s*(?:\*|\w+\s*=[^=])/.test(text.slice(from, to))) return [];
    const ask: Assertion['ask'] = (word, asked, at, again) => `ralph_${word}(${asked}, ${at}, self.assertEqual${again})`;
    return [{ from, to, kind: '', literal: literalIn(text, to + 1), said: lineOf(text, match.index, to), ask }];
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
  /** The expected literal of each assertion, as an array. */
  readonly literals: string;
  readonly isTyped: boolean;
}

/**
 * Function declarations exist before the first line of the file runs. In a loop, only the first value of an assertion is probed. No honest value equals what
 * is asked here: a word, a number, an object and a list that nobody else has, and if a number is right, its neighbours. A question that is asked twice must
 * get the expected answer both times.
 */
function javascriptLines(whole: string, { kinds, choices, literals, isTyped }: Asking): readonly string[] {
  const { first, second } = splitWord(whole);
  const any = isTyped ? ': any' : '';
  const [global, table] = isTyped ? ['(globalThis as any)', `(${choices} as any)`] : ['globalThis', `(${choices})`];
  const asking = kinds.flatMap((kind) => [
    `function ralph${whole}${suffixOf(kind)}(v${any}, at${any}, again${isTyped ? '?: any' : ''}, want${isTyped ? '?: any' : ''})${any} {`,
    `  const token = ["${first}", "${second}"].join("") + "x" + at + "x";`,
    `  const asked = (${global}.ralphAsked ??= {});`,
    '  if (asked[token]) return v;',
    '  asked[token] = true;',
    `  const isNoticed = (w${any}) => { try { ${kind}; return false; } catch { return true; } };`,
    `  const right = ${literals}[at];`,
    '  const near = typeof right === "number" && !isNoticed(right) ? [right - 1, right + 1] : [];',
    '  const wrong = [token, 7000000000 + at, ...near, ...(typeof v === "object" ? [{ [token]: at }, [token]] : [])];',
    `  const isEqualToTwo = ${table}[at].filter((w${any}) => !isNoticed(w)).length > 1;`,
    '  if (!isEqualToTwo && wrong.every(isNoticed)) process.stderr.write(token + "\\n");',
    '  const isSteady = () => { try { return v == want && again() == want; } catch { return false; } };',
    `  if (again && isSteady()) process.stderr.write(["${first}", "${second}"].join("") + "y" + at + "y\\n");`,
    '  return v;',
    '}',
  ]);
  return [...asking, `function ralph_${whole}w(at${any})${any} { return ${literals}[at]; }`];
}

/** Runners capture what a test prints, so the token is written when they exit. */
function pythonLines(whole: string, { choices, literals }: Pick<Asking, 'choices' | 'literals'>): readonly string[] {
  const { first, second } = splitWord(whole);
  return [
    '',
    '',
    `def ralph_${whole}w(at):  # type: ignore`,
    `    return ${literals}[at]`,
    '',
    '',
    `def ralph_${whole}(v, at, own=None, again=None, want=None, asked=set()):  # type: ignore`,
    `    word = '${first}' + '${second}'`,
    "    token = word + 'x' + str(at) + 'x'",
    '    def is_noticed(w):',
    '        try:',
    '            if own is None:',
    '                assert v == w',
    '            else:',
    '                own(v, w)',
    '        except Exception:',
    '            return True',
    '        return False',
    '    def say(said):',
    "        __import__('atexit').register(__import__('os').write, 2, (said + '\\n').encode())",
    '    def is_steady():',
    '        try:',
    '            return bool(v == want and again() == want)',
    '        except Exception:',
    '            return False',
    '    if token not in asked:',
    '        asked.add(token)',
    `        is_equal_to_two = len([w for w in ${choices}[str(at)] if not is_noticed(w)]) > 1`,
    `        right = ${literals}[at]`,
    '        near = [right - 1, right + 1] if type(right) in (int, float) and not is_noticed(right) else []',
    '        if not is_equal_to_two and all([is_noticed(w) for w in (token, 7000000000 + at, {token: at}, [token], *near)]):',
    '            say(token)',
    '        if again is not None and is_steady():',
    "            say(word + 'y' + str(at) + 'y')",
    '    return v',
    '',
    '',
  ];
}
