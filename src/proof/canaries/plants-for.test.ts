import { describe, expect, it } from 'vitest';
import { freshTokens } from '../../../test/support/fresh-tokens.ts';
import { plantsFor } from './plants-for.ts';

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

describe('a checker', () => {
  it.each([
    ['tsc', 'a.ts', /^const ralph\w+: number = 'RALPH';$/],
    ['eslint', 'a.jsx', /^\)ralph canary\($/],
    ['biome', 'a.ts', /^\)ralph canary\($/],
    ['prettier', 'a.mjs', /^\)ralph canary\($/],
    ['ruff', 'a.py', /^\)ralph canary\($/],
    ['mypy', 'a.py', /^ralph\w+: int = 'RALPH'$/],
    ['go-vet', 'a.go', /^func ralph\w+\(x int\) \{ x = x \}$/],
    ['cargo-check', 'a.rs', /^const RALPH\w+: u8 = "RALPH";$/],
  ])('%s must name the broken file %s', async (runner, path, wrong) => {
    const [plant] = await plants({ runners: [runner], sources: [`src/${path}`], files: { [`src/${path}`]: '// x' } });
    expect(plant).toMatchObject({ path: `src/${path}`, tokens: [path], cases: 0 });
    expect(plant?.text.split('\n')).toEqual(['// x', expect.stringMatching(wrong), '']);
  });

  it('gets twenty broken files, none with a name that is the end of another', async () => {
    const sources = ['a/index.ts', 'b/index.ts', 'reindex.ts', 'a/x.d.ts', 'vite.config.ts', ...Array.from({ length: 30 }, (_, at) => `f${at}.ts`)];
    const files = Object.fromEntries(sources.map((path) => [path, '']));
    expect(await paths({ runners: ['tsc'], sources, files })).toEqual(['a/index.ts', ...Array.from({ length: 19 }, (_, at) => `f${at}.ts`)]);
  });
});
