import { describe, expect, it } from 'vitest';
import { splitGoMod, splitSections } from './split-mixed.ts';

const toml = (base: string | null, claimed: string) =>
  splitSections(base, claimed, { name: 'pyproject.toml', owned: ['tool', 'tool.pytest', 'tool.coverage'] });
const base = '[project]\nname = "x"\n\n[tool.pytest.ini_options]\naddopts = "-q"\n';

describe('TOML sections that a gate obeys', () => {
  it('are taken from the base, all others from the agent', () => {
    const claimed =
      '[project]\nname = "x"\ndependencies = ["a"]\n\n[tool.pytest.ini_options]\naddopts = "-q --ignore=tests"\n\n[tool.black]\nline-length = 99\n';
    expect(toml(base, claimed)).toEqual({
      why: ['[tool.pytest.ini_options] in pyproject.toml changed'],
      text: '[project]\nname = "x"\ndependencies = ["a"]\n\n[tool.pytest.ini_options]\naddopts = "-q"\n[tool.black]\nline-length = 99\n',
    });
  });

  it.each([
    ['a new dependency', `${base.replace('"x"', '"x"\ndependencies = ["b"]')}`],
    ['a comment and blank lines', base.replace('addopts', '# quiet\n\naddopts')],
    ['ends of lines', base.replaceAll('\n', '\r\n')],
    ['a section of another tool', `${base}[tool.ruff]\nline-length = 1\n`],
    [
      'a text that looks like a heading',
      `[project]\nname = "x"\nreadme = """\n[tool.pytest]\nx\n"""\nlist = [\n  [1],\n  [tool]\n]\n\n[tool.pytest.ini_options]\naddopts = "-q"\n`,
    ],
  ])('do not change by %s', (_name, claimed) => {
    expect(toml(base, claimed)).toBeNull();
  });

  it.each([
    ['a key before the first heading', `tool.pytest.ini_options.addopts = "-k x"\n${base}`],
    ['a heading with quotes and spaces', `${base}[ "tool" . "coverage" . run ]\nomit = ["*"]\n`],
    ['a table in [tool]', `${base}[tool]\ncoverage = { run = { omit = ["*"] } }\n`],
    ['the loss of a section', '[project]\nname = "x"\n'],
  ])('change by %s', (_name, claimed) => {
    const split = toml(base, claimed);
    expect(split?.why).toHaveLength(1);
    expect(toml(base, split?.text ?? '')).toBeNull();
    expect(split?.text).not.toMatch(/omit|-k x/);
  });

  it('are removed from a new file', () => {
    expect(toml(null, base)?.text).toBe('[project]\nname = "x"\n\n');
  });
});

describe('INI sections that a gate obeys', () => {
  it('start at each heading, whatever brackets and quotes come before it', () => {
    const ini = (options: string, value = '"[') => `[metadata]\nname = ${value}\n[tool:pytest]\naddopts = ${options}\n[options]\nx = 1\n`;
    const split = splitSections(ini('-q'), ini('-k no', '["'), { name: 'setup.cfg', owned: ['tool:pytest'] });
    expect(split).toEqual({ why: ['[tool:pytest] in setup.cfg changed'], text: ini('-q', '["') });
  });
});

describe('sections of Cargo.toml', () => {
  const owned = ['lib', 'test', 'profile', 'package', 'workspace'];
  const cargo = '[package]\nname = "x"\nversion = "0.1.0"\n\n[dependencies]\n';
  it.each<[string, string, boolean]>([
    ['a version', cargo.replace('0.1.0', '0.2.0'), false],
    ['a dependency', `${cargo}rand = "1"\n`, false],
    ['a dependency of the workspace', `${cargo}[workspace.dependencies]\nrand = "1"\n`, false],
    ['tests that are not found', cargo.replace('version', 'autotests = false\nversion'), true],
    ['a library without tests', `${cargo}[lib]\ntest = false\n`, true],
    ['a test that is another file', `${cargo}[[test]]\nname = "a"\npath = "b.rs"\n`, true],
  ])('with %s', (_name, claimed, isChanged) => {
    const split = splitSections(cargo, claimed, { name: 'Cargo.toml', owned });
    expect(split !== null).toBe(isChanged);
    if (split !== null) expect(splitSections(cargo, split.text, { name: 'Cargo.toml', owned })).toBeNull();
  });
});

describe('go.mod', () => {
  const mod = 'module x\n\ngo 1.22\n\nrequire a v1\n';
  it("is the agent's except for replaced modules", () => {
    expect(splitGoMod(mod, mod.replace('a v1', 'a v2'))).toBeNull();
    expect(splitGoMod(mod, `${mod.replace('a v1', 'a v2')}replace (\n\ta => ./fake\n)\n`)?.text).toBe(mod.replace('a v1', 'a v2'));
    expect(splitGoMod(`${mod}replace a => ./b\n`, mod)?.text).toBe(`${mod}replace a => ./b\n`);
  });
});
