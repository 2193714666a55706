import { append, type Bed, baseName, EXPECTED, lineEndOf, type Plant, type SplitWord, splitWord } from './plant.ts';

const NEVER = new Set(['conftest.py', '__init__.py', '__main__.py', 'setup.py']);

/** Plants a test case class that uses no name of the file, before the code that runs when the file is a program. */
export function plantInPython({ path, text, runners, token }: Bed): Plant | null {
  if (NEVER.has(baseName(path))) return null;
  if (runsAsItIs(text, runners)) return plantRaise(path, text, splitWord(token()));
  const [thrown, asserted] = [splitWord(token()), splitWord(token())];
  const name = token();
  const lines = hasOnlyDoctests(text) ? doctest(name, thrown, asserted) : testCase(name, thrown, [asserted, ownAssertion(text, runners)]);
  return { path, text: insertInPython(text, ['', '', ...HUSH, ...lines, '', '']), tokens: [thrown.whole, asserted.whole], cases: 2 };
}

/** A file that `python` runs, or that the project's own runner imports. */
function runsAsItIs(text: string, runners: readonly string[]): boolean {
  return !runners.some((runner) => runner === 'pytest' || runner === 'unittest') && !/\b(?:unittest|pytest)\b/.test(text);
}

/** Nothing after such a line runs. */
const ENDS = /^(?:sys\.exit|exit|quit|os\._exit|raise SystemExit)\b/m;
const LOADS = /^(?:import\s.*|from\s.*\bimport\s*\([^)]*\)|from\s.*\bimport\s.*)$/gm;

function plantRaise(path: string, text: string, word: SplitWord): Plant {
  const lines = [...HUSH, `raise Exception(${joined(word)})`];
  const last = ENDS.test(text) ? [...text.matchAll(LOADS)].at(-1) : undefined;
  if (last === undefined && !ENDS.test(text)) return { path, text: insertInPython(text, ['', ...lines, '', '']), tokens: [word.whole], cases: 0 };
  const at = last === undefined ? 0 : last.index + last[0].length;
  return { path, text: `${append(text.slice(0, at), lines)}${text.slice(at)}`, tokens: [word.whole], cases: 0 };
}

const HUSH = ['# ruff: noqa', '# fmt: off'];

/** pytest and unittest both collect it, whatever names they are told to look for. The names are short, because pytest cuts its summary at 80 columns. */
function testCase(name: string, thrown: SplitWord, [asserted, assertion]: readonly [SplitWord, string]): readonly string[] {
  return [
    `import unittest as ralph_${name}`,
    '',
    '',
    `class Ralph${name.slice(0, 4)}(ralph_${name}.TestCase):`,
    '    def test_a(self) -> None:',
    `        raise Exception(${joined(thrown)})`,
    '',
    '    def test_b(self) -> None:',
    `        got = ${joined(asserted)}`,
    `        ${assertion}`,
  ];
}

/** Under unittest, a plain `assert` without a message prints nothing. */
function ownAssertion(text: string, runners: readonly string[]): string {
  const isPlain = /^\s+assert\b/m.test(text) || (runners.includes('pytest') && !/\bself\.assert/.test(text));
  return isPlain ? `assert got == '${EXPECTED}', got` : `self.assertEqual(got, '${EXPECTED}')`;
}

const joined = ({ first, second }: SplitWord) => `'${first}' + '${second}'`;

function hasOnlyDoctests(text: string): boolean {
  return /^\s*>>> /m.test(text) && !/\bdef test|\bTestCase\b|\bclass \w*Test/.test(text);
}

/** Two functions, because pytest stops at the first failure of a docstring. */
function doctest(name: string, thrown: SplitWord, asserted: SplitWord): readonly string[] {
  return [
    `def ralph_${name}_a() -> None:`,
    '    """',
    `    >>> raise Exception(${joined(thrown)})`,
    '    """',
    '',
    '',
    `def ralph_${name}_b() -> None:`,
    '    """',
    `    >>> ${joined(asserted)}`,
    `    '${EXPECTED}'`,
    '    """',
  ];
}

/** Where a file starts to act as a program: nothing after `unittest.main()` runs. */
const PROGRAM = /^(?:if\s+__name__\b|(?:unittest\.)?main\s*\()/m;
const QUOTED = /#[^\n]*|("""|''')(?:\\[\s\S]|(?!\1)[^\\])*(?:\1|$)|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'/g;

/** Inserts the lines before the code that runs when the file is a program. */
export function insertInPython(text: string, lines: readonly string[]): string {
  const bare = text.replace(QUOTED, (quoted) => '_'.repeat(quoted.length));
  const at = PROGRAM.exec(bare)?.index;
  if (at === undefined) return append(text, lines.slice(0, -2));
  const end = lineEndOf(text);
  return text.slice(0, at) + lines.join(end) + end + text.slice(at);
}
