import { describe, expect, it } from 'vitest';
import { freshTokens } from '../../../test/support/fresh-tokens.ts';
import { plantInBats, plantInGo, plantInJava, plantInPhpunit, plantInRspec, plantInRust } from './other-languages.ts';
import type { Planter } from './plant.ts';

const plant = (planter: Planter, text: string, path = 'a') => planter({ path, text, runners: [], token: freshTokens() });

describe('a plant in Go', () => {
  it('imports testing under its own name, right after the package clause', () => {
    const text = plant(plantInGo, '//go:build x\n\n/*\npackage no\n*/\npackage a_test // why\n\nimport tt "testing"\n')?.text;
    expect(text).toMatch(
      /\*\/\npackage a_test\n\nimport (ralph\w{12}) "testing" \/\/ why\n[\s\S]*\nfunc TestRalph\w+a\(t \*\1\.T\) \{ t\.Fatal\("\w{6}" \+ "\w{6}"\) \}/,
    );
  });

  it.each([
    ['"testing"', 't.Error('],
    ['"github.com/stretchr/testify/require"', 'require.Equal(t, "RALPH", '],
    ['check "gotest.tools/v3/assert"', 'check.Equal(t, "RALPH", '],
    ['. "github.com/stretchr/testify/assert"', 't.Error('],
  ])('with %s fails by %s', (imported, call) => {
    expect(plant(plantInGo, `package a\n\nimport (\n\t${imported}\n)\n`)?.text).toContain(call);
  });

  it('asks twice what tests expect two answers of, and nothing else', () => {
    const text =
      'package a\nfunc TestA(t *testing.T) {\n\tif Add(1, 2) != 3 {\n\t}\n\tif got := Add(1, 2); got != 4 {\n\t}\n\tlast := Add(1, 2)\n\tif last != 5 {\n\t}\n\tif Add(n, 2) != 4 {\n\t}\n\tif Sub(1) != 4 {\n\t}\n}\n';
    const planted = plant(plantInGo, text);
    expect(planted?.probes).toHaveLength(3);
    expect(planted?.text).toMatch(/\tlast := Add\(1, 2\)\n\tif ralph\w{12}\("y2y", last != 5, func\(\) bool \{ return Add\(1, 2\) != 5 \}\) \{/);
    expect(planted?.text).toMatch(/\tif ralph\w{12}\("y0y", Add\(1, 2\) != 3, func\(\) bool \{ return Add\(1, 2\) != 3 \}\) \{/);
    expect(planted?.text).toMatch(/\tif got := Add\(1, 2\); ralph\w{12}\("y1y", got != 4, func\(\) bool \{ return Add\(1, 2\) != 4 \}\) \{/);
    expect(planted?.text).toContain('\tif Add(n, 2) != 4 {');
    expect(planted?.text).toContain('\tif Sub(1) != 4 {');
    expect(plant(plantInGo, text.replaceAll(/!= [45]/g, '!= 3'))?.probes).toBeUndefined();
  });

  it('needs a package clause', () => {
    expect(plant(plantInGo, '// package a\n')).toBeNull();
  });
});

describe('a plant in Rust', () => {
  it('is a separate module at the end', () => {
    const text = plant(plantInRust, '#[cfg(test)]\nmod tests {}\n// end', 'src/a.rs')?.text;
    expect(text).toMatch(/^#\[cfg\(test\)\]\nmod tests \{\}\n\/\/ end\n\n#\[cfg\(test\)\]\nmod ralph_\w{12} \{\n/);
    expect(text).toMatch(/ {8}assert_eq!\(concat!\("\w{6}", "\w{6}"\), "RALPH"\);\n/);
  });

  it('fails by the assertion that the file uses', () => {
    expect(plant(plantInRust, 'use pretty_assertions::assert_eq;\n#[test]\nfn a() {}', 'src/a.rs')?.text).toContain(' pretty_assertions::assert_eq!(');
  });

  it('is only made in files with tests', () => {
    expect(plant(plantInRust, 'pub fn a() {}', 'src/a.rs')).toBeNull();
    expect(plant(plantInRust, '// all of it in macros', 'tests/a.rs')).not.toBeNull();
  });
});

describe('a planted class', () => {
  it('of phpunit gets two methods', () => {
    expect(plant(plantInPhpunit, '<?php\nclass A {\n}\n// }\n')?.text).toMatch(/^<\?php\nclass A \{\n\npublic function testRalph[\s\S]*\n\}\n\/\/ \}\n$/);
  });

  it.each([
    ['org.junit.jupiter.api.Test', 'org.junit.jupiter.api.Assertions.assertEquals("RALPH"'],
    ['org.junit.Test', 'org.junit.Assert.assertEquals("RALPH"'],
  ])('of %s gets two methods', (imported, call) => {
    const text = plant(plantInJava, `import ${imported};\nclass A {\n}`)?.text;
    expect(text).toContain(`@${imported} public void ralph`);
    expect(text).toContain(call);
  });

  it('of another library is left alone', () => {
    expect(plant(plantInJava, 'import org.testng.annotations.Test;\nclass A {}')).toBeNull();
  });
});

it('failures in an rspec file are planted before its data section', () => {
  expect(plant(plantInRspec, "describe 'a'\n__END__\nx")?.text).toMatch(/^describe 'a'\n\nRSpec\.describe [\s\S]*\nend\n__END__\nx$/);
});

it('planted bats tests use the loaded assertions', () => {
  expect(plant(plantInBats, '@test "a" {\n  assert_output x\n}')?.text).toContain('assert_equal "$word" RALPH');
  expect(plant(plantInBats, '@test "a" {\n  true\n}')?.text).toContain('[ "$word" = RALPH ]');
});

it('no planted text contains its token', () => {
  const texts: readonly (readonly [Planter, string])[] = [
    [plantInGo, 'package a\n'],
    [plantInRust, '#[test]\nfn a() {}'],
    [plantInPhpunit, '<?php class A {}'],
    [plantInJava, 'import org.junit.Test; class A {}'],
    [plantInRspec, ''],
    [plantInBats, ''],
  ];
  for (const [planter, text] of texts) {
    const planted = plant(planter, text);
    expect(planted?.tokens).toHaveLength(2);
    expect(planted?.tokens.filter((token) => planted.text.includes(token))).toEqual([]);
  }
});
