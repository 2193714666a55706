import { append, type Bed, EXPECTED, type Plant, splitWord } from './plant.ts';

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
