import { append, type Bed, EXPECTED, hideComments, type Plant, type SplitWord, splitWord } from './plant.ts';

const PACKAGE = /^[ \t]*package[ \t]+\w+/m;
const ASSERTIONS = /^\s*(?:import\s+)?(?:([\w.]+)[ \t]+)?"(?:github\.com\/stretchr\/testify|gotest\.tools(?:\/v\d+)?)\/(assert|require)"/m;

/** Plants two tests that fail without a panic, which would end the other tests of the package. */
export function plantInGo({ path, text, token }: Bed): Plant | null {
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
  return { path, text: append(withImport, lines), tokens: [thrown.whole, asserted.whole], cases: 2 };
}

const joined = ({ first, second }: SplitWord) => `"${first}" + "${second}"`;

function ownAssertion(text: string, word: string): string {
  const found = ASSERTIONS.exec(text);
  const name = found?.[1] ?? found?.[2];
  return name === undefined || name === '.' || name === '_' ? `t.Error(${word})` : `${name}.Equal(t, "${EXPECTED}", ${word})`;
}
