import { describe, expect, it } from 'vitest';
import { freshTokens } from '../../../test/support/fresh-tokens.ts';
import { breakAllSources, breakSources, sourcesNamedIn } from './broken-sources.ts';

const wish = (runner: string, files: Readonly<Record<string, string | null>>) => ({
  runners: [runner],
  sources: Object.keys(files),
  token: freshTokens(),
  read: async (path: string) => files[path] ?? null,
});

describe('a checker', () => {
  it.each([
    ['tsc', 'a.ts', /^const ralph\w+: number = 'RALPH';$/],
    ['tsc', 'a.js', /^\/\*\* @type \{number\} \*\/ const ralph\w+ = 'RALPH';$/],
    ['eslint', 'a.jsx', /^\)ralph canary\($/],
    ['mypy', 'a.py', /^ralph\w+: int = 'RALPH'$/],
    ['flake8', 'a.py', /^import os,sys; ralph\w+ \[1\] {2}$/],
    ['pylint', 'a.py', /^import os,sys; exec\(ralph\w+\) {2}$/],
    ['go-vet', 'a.go', /^func {2}ralph\w+\( \) int {2}\{ return "RALPH" \}$/],
    ['golangci-lint', 'a.go', /^func {2}ralph\w+\( \) int {2}\{ return "RALPH" \}$/],
    ['cargo-check', 'a.rs', /^const {2}RALPH\w+ : u8 {2}= {2}"RALPH" ;$/],
    ['shellcheck', 'a.sh', /^if \[ ralph$/],
  ])('%s must name the broken file %s', async (runner, path, wrong) => {
    const [plant] = await breakSources(wish(runner, { [`src/${path}`]: '// x' }));
    expect(plant).toMatchObject({ path: `src/${path}`, tokens: [path], cases: 0, isSource: true });
    expect(plant?.text.split('\n')).toEqual(['// x', expect.stringMatching(wrong), '']);
  });

  it.each(['prettier', 'biome'])('of the format finds an error in every language: %s', async (runner) => {
    const [script, style] = await breakSources(wish(runner, { 'a.ts': '', 'b.css': 'a {}\n' }));
    expect([script?.text, style?.text]).toEqual([')ralph canary(  {\n*   ralph\n', 'a {}\n)ralph canary(  {\n*   ralph\n']);
  });

  it('gets twenty broken files, none with a name that is the end of another', async () => {
    const sources = ['a/index.ts', 'b/index.ts', 'reindex.ts', 'a/x.d.ts', 'vite.config.ts', ...Array.from({ length: 30 }, (_, at) => `f${at}.ts`)];
    const plants = await breakSources(wish('tsc', Object.fromEntries(sources.map((path) => [path, '']))));
    expect(plants.map(({ path }) => path)).toEqual(['a/index.ts', ...Array.from({ length: 19 }, (_, at) => `f${at}.ts`)]);
  });
});

it('all sources of a language are broken except its configuration, and those that cannot be are counted', async () => {
  const script = '<script>\nconst a = 1;\n</script>\n<p/>\n';
  const files = { 'a.ts': '', 'b/a.ts': '', 'x.d.ts': '', 'a.vue': script, 'only.vue': '<p/>', 'large.ts': null, 'eslint.config.js': '', 'a.md': '' };
  const { plants, left } = await breakAllSources({ ...wish('eslint', files), decides: (path) => (path.includes('config') ? 'configuration' : null) });
  expect(plants.map(({ path }) => path)).toEqual(['a.ts', 'b/a.ts', 'x.d.ts', 'a.vue']);
  expect(plants[3]?.text).toBe('<script>\nconst a = 1;\n)ralph canary(\n</script>\n<p/>\n');
  expect(left).toBe(2);
});

it('the sources that a checker names with their folder come before those of the same name', () => {
  const paths = ['a/index.ts', 'packages/web/src/index.ts', 'b.ts', 'c.ts'];
  const output = 'src/index.ts(3,1): error TS2322\n  at "./b.ts":3';
  expect(sourcesNamedIn(output, paths)).toEqual(['packages/web/src/index.ts', 'b.ts', 'a/index.ts']);
  expect(sourcesNamedIn('', paths)).toEqual([]);
});
