import { append, type Bed, EXPECTED, hideComments, lineEndOf, type Plant, type SplitWord, splitWord } from './plant.ts';

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
