import { describe, expect, it } from 'vitest';
import { sharedNames, withOtherNames } from './other-names.ts';

const renamed = (path: string, text: string, shared: readonly string[] = []) => withOtherNames({ path, text, original: text }, new Set(shared));
const LINES = '\n'.repeat(17);

describe('tests with other names and lines', () => {
  it.each<[string, string, string]>([
    [
      'a.test.js',
      "describe('shop', () => {\n  it(`adds`, y);\n  test.only(\"is 'b'\", { skip }, y);\n});\n",
      `${LINES}describe('ralph 1', () => {\n  it('ralph 2', y);\n  test.only('ralph 3', { skip }, y);\n});\n`,
    ],
    ['a.test.ts', "#!/usr/bin/env node\ntest('a', y);\n", `#!/usr/bin/env node\n${LINES}test('ralph 1', y);\n`],
    [
      'test_a.py',
      '# a\nclass A:\n    def test_z(self): pass\n    async def testA(self): self.test_z()\n',
      `# a\n${LINES}class A:\n    def test_ralph_0001(self): pass\n    async def test_ralph_0000(self): self.test_ralph_0001()\n`,
    ],
    [
      'a_test.go',
      '// package x\npackage a\nfunc TestZ(t *testing.T) { t.Run("one", func(t *testing.T) {}) }\nfunc TestMain(m *testing.M) {}\n',
      `// package x\npackage a\n${LINES}func TestRalph0000(t *testing.T) { t.Run("ralph 1", func(t *testing.T) {}) }\nfunc TestMain(m *testing.M) {}\n`,
    ],
    [
      'tests/a.rs',
      '#![allow(x)]\n#[test]\nfn z() { z2() }\n#[tokio::test(flavor = "x")]\n#[should_panic]\nasync fn a() {}\n#[test]\nfn used() {}\nfn z2() { used() }\n',
      `${LINES}#![allow(x)]\n#[test]\nfn ralph_0001() { z2() }\n#[tokio::test(flavor = "x")]\n#[should_panic]\nasync fn ralph_0000() {}\n#[test]\nfn used() {}\nfn z2() { used() }\n`,
    ],
  ])('in %s', (path, text, wanted) => {
    expect(renamed(path, text)).toBe(wanted);
  });

  it.each([
    ['what is no call with a title', "it.each(table)('x', y);\nmy.test('x', y);\nit('pending');\nit(`a ${b}`, y);\n"],
    ['line ends', 'const a = 1;\r\ntest\r\n'],
  ])('keep %s', (_, text) => {
    const end = text.includes('\r\n') ? '\r\n' : '\n';
    expect(renamed('a.test.js', text)).toBe(`${end.repeat(17)}${text}`);
  });

  it.each([
    ['a.test.js', "test('a', () => expect(x).toMatchSnapshot())"],
    ['a.test.js', "test('a', () => expect(expect.getState().currentTestName).toBe('a'))"],
    ['test_a.py', 'def test_a(request):\n    assert request.node.name == "test_a"\n'],
    ['a_test.go', 'package a\nfunc TestA(t *testing.T) { read("testdata/" + t.Name()) }\n'],
    ['a.rs', '#[test]\nfn a() { insta::assert_snapshot!(x) }\n'],
    ['a.rb', 'it("a") { }\n'],
  ])('are not made in a file that looks at its own names, or whose language is unknown: %s', (path, text) => {
    expect(renamed(path, text)).toBeNull();
  });

  it('are not given to what another file uses', () => {
    const shared = sharedNames(['from tests.a import (\n  test_used,\n)\n', 'func TestX(t *testing.T) { TestY(t) }\n']);
    expect(shared).toContain('TestY');
    expect(renamed('test_a.py', 'def test_used(): pass\ndef test_own(): pass\n', [...shared])).toBe(
      `${LINES}def test_used(): pass\ndef test_ralph_0000(): pass\n`,
    );
  });
});
