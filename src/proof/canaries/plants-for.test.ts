import { describe, expect, it } from 'vitest';
import { freshTokens } from '../../../test/support/fresh-tokens.ts';
import { alterSnapshots, plantsFor, snapshotsOf, whyNothingIsPlanted } from './plants-for.ts';

interface Wish {
  readonly runners: readonly string[];
  readonly tests?: readonly string[];
  readonly sources?: readonly string[];
  readonly files?: Readonly<Record<string, string>>;
}

const plants = ({ runners, tests = [], sources = [], files = {} }: Wish) =>
  plantsFor({ runners, tests, sources, token: freshTokens(), read: async (path) => files[path] ?? null });
const paths = async (request: Wish) => (await plants(request)).map(({ path }) => path);

describe('planted failures', () => {
  it('are for the files of the given runners', async () => {
    const files = { 'a.test.ts': "it('x')", 'test_a.py': 'def test_x(): pass', 'a_test.go': 'package a', 'x.snap': 'x', 'x.d.ts': "it('x')" };
    const tests = [...Object.keys(files), 'gone.test.ts', 'a.test.ts'];
    expect(await paths({ runners: ['vitest', 'pytest'], tests, files })).toEqual(['a.test.ts', 'test_a.py']);
    expect(await paths({ runners: ['go-test'], tests, files })).toEqual(['a_test.go']);
    expect(await paths({ runners: ['make', 'dotnet'], tests, files })).toEqual([]);
  });

  it('are put into Rust sources that have tests', async () => {
    const files = { 'src/a.rs': '#[test]\nfn a() {}', 'src/b.rs': '' };
    expect(await paths({ runners: ['cargo-test'], sources: Object.keys(files), files })).toEqual(['src/a.rs']);
  });

  it('leave the sources unchanged if there are tests to plant in', async () => {
    const request = { tests: ['a.test.ts'], sources: ['a.ts'], files: { 'a.test.ts': "it('x')", 'a.ts': '' } };
    expect(await paths({ ...request, runners: ['tsc', 'vitest'] })).toEqual(['a.test.ts']);
    expect(await paths({ ...request, runners: ['tsc'] })).toEqual(['a.ts']);
  });
});

it('every altered snapshot is a text that is assembled when it is read', () => {
  const text = 'exports[`says \\`hi\\` 1`] = `"hi"`;\n\nexports[`two 1`] = `\n{\n  "a": 1,\n}\n`;\n';
  const plant = alterSnapshots({ path: 'a.snap', text, token: freshTokens() });
  const stored: Record<string, string> = {};
  new Function('exports', plant?.text ?? '')(stored);
  expect(stored).toEqual({ 'says `hi` 1': plant?.tokens[0], 'two 1': plant?.tokens[0] });
  expect(plant?.text).not.toContain(plant?.tokens[0]);
});

it('a file without snapshots is left alone', () => {
  expect(alterSnapshots({ path: 'a.snap', text: '// Jest Snapshot v1\n', token: freshTokens() })).toBeNull();
});

it('snapshots are in a folder beside the test', () => {
  expect(['a.test.js', 'src/b.test.ts'].map(snapshotsOf)).toEqual(['__snapshots__/a.test.js.snap', 'src/__snapshots__/b.test.ts.snap']);
});

it.each<[readonly string[], boolean, string]>([
  [['dotnet'], true, 'runs dotnet, for which Ralph cannot plant failures'],
  [['cargo-other', 'node-check'], false, 'runs cargo-other, node-check, for which Ralph cannot plant failures'],
  [['playwright', 'dotnet'], false, 'has no test file yet that a failure could be planted in'],
  [['rspec'], true, 'runs tests in which Ralph cannot plant failures'],
  [['shellcheck'], false, 'has no source yet that Ralph could break'],
])('a gate with nothing to plant in says why: %j, with tests: %j', (runners, hasTests, why) => {
  expect(whyNothingIsPlanted(runners, hasTests)).toBe(why);
});
