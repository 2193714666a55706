import { describe, expect, it } from 'vitest';
import { freshTokens } from '../../../test/support/fresh-tokens.ts';
import { plantInPython } from './python.ts';

const plant = (text: string, runner = 'pytest', path = 'test_a.py') => plantInPython({ path, text, runners: [runner], token: freshTokens() });

describe('a planted test case class', () => {
  it('is added at the end, without any name of the file', () => {
    const planted = plant('def test_x():\n\tassert 1 # end');
    expect(planted?.text).toMatch(
      /^def test_x\(\):\n\tassert 1 # end\n\n\n# ruff: noqa\n# fmt: off\nimport unittest as (\w+)\n\n\nclass Ralph\w{4}\(\1\.TestCase\):\n/,
    );
    expect(planted?.tokens.some((token) => planted.text.includes(token))).toBe(false);
  });

  it.each([
    ['if __name__', "if __name__ == '__main__':\n    main()\n"],
    ['unittest.main()', 'unittest.main()'],
    ['main()', 'main()\n'],
  ])('is before the code that runs as a program: %s', (_what, program) => {
    const planted = plant(`import x\n${program}`);
    expect(planted?.text.startsWith('import x\n\n')).toBe(true);
    expect(planted?.text.endsWith(`\n\n${program}`)).toBe(true);
  });

  it.each([
    ['a string', 'X = """\nif __name__ == 1:\n"""\n'],
    ['a comment', '# a\n# if __name__\n'],
    ['a function', 'def f():\n    if __name__: pass\n'],
  ])('does not mistake %s for that code', (_what, text) => {
    expect(plant(text)?.text.startsWith(text)).toBe(true);
  });

  it('fails by the assertion that the file uses', () => {
    const plain = "assert got == 'RALPH', got";
    const method = "self.assertEqual(got, 'RALPH')";
    expect(plant('def test_x():\n    assert 1')?.text).toContain(plain);
    expect(plant('        self.assertTrue(1)')?.text).toContain(method);
    expect(plant('class A(T):\n    def test_x(self):\n        assert 1', 'unittest')?.text).toContain(plain);
    expect(plant('class A(T): pass', 'unittest')?.text).toContain(method);
  });

  it('has the line ends of the file', () => {
    expect(plant('def test_x():\r\n    pass\r\n\r\nmain()\r\n')?.text.replaceAll('\r\n', '')).not.toContain('\n');
  });
});

it('a file with only doctests gets two more', () => {
  const text = plant('def add(a, b):\n    """\n    >>> add(1, 2)\n    3\n    """\n')?.text;
  expect(text?.match(/>>> /g)).toHaveLength(3);
  expect(text).not.toContain('TestCase');
});

it('nothing is planted in a file that a whole folder loads', () => {
  for (const path of ['conftest.py', 'tests/conftest.py', 'tests/__init__.py']) expect(plant('def test_x(): pass', 'pytest', path)).toBeNull();
});
