import { append, type Bed, digestOf, EXPECTED, hideComments, lineEndOf, type Plant, type Probe, type SplitWord, splitWord } from './plant.ts';

const PACKAGE = /^[ \t]*package[ \t]+\w+/m;
const ASSERTIONS = /^\s*(?:import\s+)?(?:([\w.]+)[ \t]+)?"(?:github\.com\/stretchr\/testify|gotest\.tools(?:\/v\d+)?)\/(assert|require)"/m;

/** Plants two tests that fail without a panic, which would end the other tests of the package. */
export function plantInGo({ path, text: whole, token }: Bed): Plant | null {
  const { text, probes } = askedTwice(whole, token);
  const clause = PACKAGE.exec(hideComments(text));
  if (clause === null) return null;
  const [thrown, asserted] = [splitWord(token()), splitWord(token())];
  const name = token();
  // The file may import testing under another name, or not at all.
  const testing = `ralph${name}`;
  const at = clause.index + clause[0].length;
  const withImport = `${text.slice(0, at)}\n\nimport ${testing} "testing"${text.slice(at)}`;
  const lines = [
    '',
    `func TestRalph${name}a(t *${testing}.T) { t.Fatal(${joined(thrown)}) }`,
    '',
    `func TestRalph${name}b(t *${testing}.T) { ${ownAssertion(text, joined(asserted))} }`,
  ];
  return { path, text: append(withImport, lines), tokens: [thrown.whole, asserted.whole], cases: 2, ...(probes.length > 0 && { probes }) };
}

const joined = ({ first, second }: SplitWord) => `"${first}" + "${second}"`;

const CALL = '[\\w.]+\\((?:"[^"\\\\\\n]*"|[\\d\\s,.+\\-]|true|false|nil)*\\)';
const COMPARED = new RegExp(
  `(?:\\b(\\w+)[ \\t]*:=[ \\t]*(${CALL})(\\s*;\\s*|\\s*\\n\\s*if\\s+)\\1|\\bif\\s+(${CALL}))\\s*!=\\s*("[^"\\\\\\n]*"|-?\\d+(?:\\.\\d+)?)\\s*\\{`,
  'g',
);

/** If tests expect different values of the same call, each is asked twice and says so if it got the expected value both times, as other probes do. */
function askedTwice(text: string, token: () => string): { readonly text: string; readonly probes: readonly Probe[] } {
  const wanted = new Map<string, Set<string>>();
  for (const [, , named, , plain, literal = ''] of text.matchAll(COMPARED)) {
    const call = named ?? plain ?? '';
    wanted.set(call, (wanted.get(call) ?? new Set()).add(literal));
  }
  if (![...wanted.values()].some(({ size }) => size > 1)) return { text, probes: [] };
  const word = splitWord(token());
  const probes: Probe[] = [];
  const asking = text.replace(COMPARED, (whole: string, ...groups: readonly (string | undefined)[]) => {
    const [name, named, joint = '', plain, literal = ''] = groups;
    const call = named ?? plain ?? '';
    if ((wanted.get(call)?.size ?? 0) < 2) return whole;
    const mark = `y${probes.length}y`;
    probes.push({ key: `${digestOf(`${whole}#${probes.length}`)}~`, token: `${word.whole}${mark}` });
    const start = name === undefined ? 'if ' : `${name} := ${call}${joint}`;
    return `${start}ralph${word.whole}("${mark}", ${name ?? call} != ${literal}, func() bool { return ${call} != ${literal} }) {`;
  });
  const lines = [
    '',
    `func ralph${word.whole}(mark string, isRed bool, again func() bool) bool {`,
    '\tif !isRed && !again() {',
    `\t\tprintln(${joined(word)} + mark)`,
    '\t}',
    '\treturn isRed',
    '}',
  ];
  return { text: append(asking, lines), probes };
}

function ownAssertion(text: string, word: string): string {
  const found = ASSERTIONS.exec(text);
  const name = found?.[1] ?? found?.[2];
  return name === undefined || name === '.' || name === '_' ? `t.Error(${word})` : `${name}.Equal(t, "${EXPECTED}", ${word})`;
}

const HAS_TESTS = /#\[(?:\w+::)*test\b|#!?\[cfg\(test\)\]|#\[rstest\b/;

/** Whether a Rust file has tests: sources may contain them, too. */
export const hasRustTests = (path: string, text: string) => /(?:^|\/)tests\//.test(path) || HAS_TESTS.test(text);

/** Plants a module at the end of the file, beside an existing `mod tests`. */
export function plantInRust({ path, text, token }: Bed): Plant | null {
  if (!hasRustTests(path, text)) return null;
  const [thrown, asserted] = [splitWord(token()), splitWord(token())];
  const own = /\bpretty_assertions\b/.test(text) ? 'pretty_assertions::assert_eq!' : 'assert_eq!';
  const lines = [
    '',
    '#[cfg(test)]',
    `mod ralph_${token()} {`,
    '    #[test]',
    '    fn a() {',
    `        panic!("{}{}", "${thrown.first}", "${thrown.second}");`,
    '    }',
    '',
    '    #[test]',
    '    fn b() {',
    `        ${own}(concat!("${asserted.first}", "${asserted.second}"), "${EXPECTED}");`,
    '    }',
    '}',
  ];
  return { path, text: append(text, lines), tokens: [thrown.whole, asserted.whole], cases: 2 };
}

/** Plants two examples, before the data section of a Ruby file. */
export function plantInRspec({ path, text, token }: Bed): Plant | null {
  const [thrown, asserted] = [splitWord(token()), splitWord(token())];
  const join = ({ first, second }: SplitWord) => `'${first}' + '${second}'`;
  const lines = [
    '',
    `RSpec.describe 'ralph canary ${token()}' do`,
    `  it('a') { raise ${join(thrown)} }`,
    `  it('b') { expect(${join(asserted)}).to eq('${EXPECTED}') }`,
    'end',
  ];
  const data = /^__END__\s*$/m.exec(text)?.index ?? text.length;
  return { path, text: append(text.slice(0, data), lines) + text.slice(data), tokens: [thrown.whole, asserted.whole], cases: 2 };
}

/** Plants two methods in the last class of the file, because phpunit runs only one class of it. */
export function plantInPhpunit({ path, text, token }: Bed): Plant | null {
  const [thrown, asserted] = [splitWord(token()), splitWord(token())];
  const join = ({ first, second }: SplitWord) => `'${first}' . '${second}'`;
  const planted = beforeLastBrace(text, [
    `public function testRalph${token()}(): void { throw new \\RuntimeException(${join(thrown)}); }`,
    `public function testRalph${token()}(): void { $this->assertSame('${EXPECTED}', ${join(asserted)}); }`,
  ]);
  return planted === null ? null : { path, text: planted, tokens: [thrown.whole, asserted.whole], cases: 2 };
}

/** Plants two methods in the last class of the file, with the annotations of JUnit 5 or 4; null for other libraries. */
export function plantInJava({ path, text, token }: Bed): Plant | null {
  const library = libraryOf(text);
  if (library === null) return null;
  const [thrown, asserted] = [splitWord(token()), splitWord(token())];
  const join = ({ first, second }: SplitWord) => `"${first}" + "${second}"`;
  const planted = beforeLastBrace(text, [
    `@${library}.Test public void ralph${token()}() { throw new RuntimeException(${join(thrown)}); }`,
    `@${library}.Test public void ralph${token()}() { ${library}.Assert${library === 'org.junit' ? '' : 'ions'}.assertEquals("${EXPECTED}", ${join(asserted)}); }`,
  ]);
  return planted === null ? null : { path, text: planted, tokens: [thrown.whole, asserted.whole], cases: 2 };
}

function libraryOf(text: string): string | null {
  if (/\borg\.junit\.jupiter\.api\b/.test(text)) return 'org.junit.jupiter.api';
  return /\borg\.junit\.(?:Test|\*)/.test(text) ? 'org.junit' : null;
}

function beforeLastBrace(text: string, lines: readonly string[]): string | null {
  const at = hideComments(text).lastIndexOf('}');
  const end = lineEndOf(text);
  return at === -1 ? null : text.slice(0, at) + end + lines.join(end) + end + text.slice(at);
}

/** Relies on bats showing the output of a failed test. */
export function plantInBats({ path, text, token }: Bed): Plant | null {
  const [thrown, asserted] = [splitWord(token()), splitWord(token())];
  const own = /\bassert_(?:equal|output|line)\b/.test(text) ? `assert_equal "$word" ${EXPECTED}` : `[ "$word" = ${EXPECTED} ]`;
  const lines = [
    `@test "ralph canary ${token()}" {`,
    `  echo "${thrown.first}""${thrown.second}"`,
    '  false',
    '}',
    `@test "ralph canary ${token()}" {`,
    `  word="${asserted.first}""${asserted.second}"`,
    '  echo "$word"',
    `  ${own}`,
    '}',
  ];
  return { path, text: append(text, lines), tokens: [thrown.whole, asserted.whole], cases: 2 };
}
