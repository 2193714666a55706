import { describe, expect, it } from 'vitest';
import { type Files, passOf, textTree } from '../../../test/support/text-tree.ts';
import { lookAtGate } from './look-at-gate.ts';

const PROJECT: Files = {
  'src/main.js': 'console.log(1)',
  'cli.js': 'if (!process.argv[2]) process.exit(1);\nconsole.log(1)',
  'calc.py': 'print(1)',
  'greet.sh': '#!/bin/sh\necho hello',
  'expected.txt': '1',
  'golden/a.txt': '1',
  'golden/b.txt': '1',
  'cases/1.in': '1',
  'cases/1.out': '1',
  'cases/2.in': '2',
  'cases/2.out': '2',
  'data/table.txt': '1 1',
  'README.md': '',
  VERSION: '1.0.0',
  'src/schema.json': '',
};
const ALL = Object.keys(PROJECT);
const CASES = ['cases/1.in', 'cases/1.out', 'cases/2.in', 'cases/2.out'];

const decided = async (command: string, files: Files = {}) => {
  const sight = await lookAtGate(command, '', textTree({ ...PROJECT, ...files }));
  return ALL.filter((path) => sight.decides(path) !== null);
};

describe('a file that a gate compares with is a decider, and the program whose output it compares is not:', () => {
  it.each<[string, readonly string[]]>([
    ['node cli.js | diff - expected.txt', ['expected.txt']],
    ['diff expected.txt <(./greet.sh)', ['expected.txt']],
    ['python3 calc.py > out.txt && cmp out.txt golden/a.txt', ['golden/a.txt']],
    ['[ "$(cat expected.txt)" = "$(node cli.js)" ]', ['expected.txt']],
    ['[[ $(<expected.txt) == $(node cli.js) ]]', ['expected.txt']],
    ['want=$(cat expected.txt); got=`python3 calc.py`; test "$got" = "$want"', ['expected.txt']],
    ['read -r want < expected.txt; test "$(node cli.js)" = "$want"', ['expected.txt']],
    ['case "$(node cli.js)" in "$(cat expected.txt)") ;; *) exit 1 ;; esac', ['expected.txt']],
    ['node src/main.js | sort | grep -qxFf expected.txt', ['expected.txt']],
    ['node cli.js < cases/1.in | diff - cases/1.out', ['cases/1.in', 'cases/1.out']],
    ['for f in cases/*.in; do node cli.js < "$f" | diff - "${f%.in}.out" || exit 1; done', CASES],
    ['for f in cases/*.in; do n=$(basename "$f" .in); node cli.js $(cat $f) | diff "cases/$n.out" -; done', CASES],
    ['for n in 1 2; do ./greet.sh < cases/$n.in | cmp - cases/$n.out || exit 1; done', CASES],
    ['for f in $(find cases -name "*.in"); do node cli.js "$f" > out; cmp out ${f/.in/.out}; done', CASES],
    ['while read -r a want; do [ "$(node cli.js $a)" = "$want" ] || exit 1; done < data/table.txt', ['data/table.txt']],
    ['same() { node cli.js | diff - "$1"; }; same golden/a.txt && same golden/b.txt', ['golden/a.txt', 'golden/b.txt']],
    ['mkdir -p out && node cli.js > out/a && sha256sum -c data/table.txt', ['data/table.txt']],
    ['find cases | while read -r f; do node cli.js < "$f.in" | diff - "${f%.in}.out" || exit 1; done', CASES],
    ['node cli.js > out.txt; git diff --no-index --exit-code expected.txt out.txt', ['expected.txt']],
    ['node cli.js | diff - "$ROOT/golden/a.txt"', ['golden/a.txt']],
    ['diff -r golden out', ['golden/a.txt', 'golden/b.txt']],
    ['check() { local want=$1; shift 2; diff <(cat "$want") <("$@"); }; check expected.txt x bash greet.sh', ['expected.txt']],
    // What the gate's own words ask for is the work.
    ['grep -q "How to install" README.md', []],
    ['test "$(cat VERSION)" = 2.0.0', []],
    ['cat VERSION | grep -q 2', []],
    ['diff <(node cli.js schema) src/schema.json', []],
    ['node cli.js --help | diff - README.md', []],
    ['node cli.js', []],
    ['node src/main.js && python3 calc.py', []],
  ])('%s', async (command, expected) => {
    expect(await decided(command)).toEqual(expected);
  });

  it('also in a recipe of make, in a script of npm, and in a script that is called by its path', async () => {
    const inMake = { Makefile: 'WANT = golden/a.txt\ntest: out.txt\n\tcmp $< $(WANT)\nout.txt: cli.js\n\tnode $< > $@\n' };
    expect(await decided('make test', inMake)).toEqual(['golden/a.txt']);
    const byPattern = {
      Makefile: 'IN := $(wildcard cases/*.in)\ncheck: $(IN:.in=.ok)\n%.ok: %.in cli.js\n\tnode cli.js < $< > $*.got\n\tdiff $*.out $*.got\n',
    };
    expect(await decided('make check', byPattern)).toEqual(CASES);
    const byForm = { Makefile: 'IN = cases/1.in\nOK = $(patsubst %.in,%.ok,$(IN))\ncheck: $(OK)\n$(OK): %.ok: %.in\n\tnode cli.js < $< | diff - $*.out\n' };
    expect(await decided('make', byForm)).toEqual(['cases/1.in', 'cases/1.out']);
    const bySuffix = { Makefile: 'check: cases/2.ok\n.in.ok:\n\t./greet.sh | cmp - $*.out\n' };
    expect(await decided('make', bySuffix)).toEqual(['cases/2.out']);
    expect(await decided('npm test', { 'package.json': '{"scripts":{"test":"node src/main.js | diff - golden/b.txt"}}' })).toEqual(['golden/b.txt']);
    expect(await decided('./check.sh', { 'check.sh': 'cd "$(dirname "$0")"\n./greet.sh | diff - expected.txt\n' })).toEqual(['expected.txt']);
  });
});

describe('a program that a gate starts counts as a test or not', () => {
  it.each<[string, Files, boolean]>([
    ['node smoke.js', { 'smoke.js': '' }, true],
    ['node rules.js', { 'rules.js': "import assert from 'node:assert';\nimport { a } from './a.js';\nassert(a);" }, true],
    ['python3 rules.py', { 'rules.py': 'import calc\nassert calc.x == 1\n' }, true],
    ['node build.mjs', { 'build.mjs': "spawn('npx', ['vitest', 'run'])" }, true],
    ['node tools/rules.js', { 'tools/rules.js': '' }, true],
    ['node lib/x.spec.js', { 'lib/x.spec.js': '' }, true],
    ['for f in test/*.js; do node "$f"; done', { 'test/a.js': '' }, true],
    ['for f in test/*.sh; do sh "$f" || exit 1; done', { 'test/a.sh': '' }, true],
    ['./run-all.sh | grep -q "0 failed"', { 'run-all.sh': 'echo "$failed failed"' }, true],
    ['node index.js', { 'index.js': 'throw new Error("wrong")' }, false],
    ['node index.js | grep -q ok', { 'index.js': "import assert from 'node:assert';\nassert(process.argv);" }, false],
    ['sh greet.sh | grep -q hello', { 'greet.sh': 'echo hello' }, false],
    ['sh src/app.sh', { 'src/app.sh': 'echo hello' }, false],
  ])('%s: %s %s', async (command, files, isTest) => {
    const [path = ''] = Object.keys(files);
    expect((await lookAtGate(command, '', textTree(files))).decides(path) !== null).toBe(isTest);
  });
});

it('a compared file must not follow a renamed word, and added ones are free', async () => {
  const base = {
    'check.sh': 'for f in cases/*.in; do node cli.js < $f | diff - ${f%.in}.out || exit 1; done',
    'src/a.js': 'let foo',
    'cases/1.out': 'foo',
    'cases/1.in': '',
  };
  const claim = (claimed: Readonly<Record<string, string | null>>) => passOf({ command: 'sh check.sh', base, claimed });
  expect((await claim({ 'src/a.js': 'let bar', 'cases/1.out': 'bar' })).changed).toEqual([
    { path: 'cases/1.out', why: 'a file that the gate compares with changed' },
  ]);
  expect((await claim({ 'cases/2.in': '', 'cases/2.out': '' })).changed).toEqual([]);
  expect((await claim({ 'cases/1.in': null, 'cases/1.out': null })).changed).toHaveLength(2);
});

it('a compared file that was moved is asked again at its old place', async () => {
  const files = { 'cases/a/in.csv': '1', 'cases/a/out.txt': '1', 'cases/b/in.csv': '2', 'cases/b/out.txt': '2' };
  const command = 'for d in cases/*/; do node cli.js < "${d}in.csv" | diff "${d}out.txt" - || exit 1; done';
  const hidden = { 'cases/b/in.csv': null, 'cases/b/out.txt': null, 'cases/.b/in.csv': '2', 'cases/.b/out.txt': '2' };
  const { edits } = await passOf({ command, base: { ...PROJECT, ...files }, claimed: hidden });
  expect(edits.filter(({ to }) => to === 'base').map(({ path }) => path)).toEqual(['cases/b/in.csv', 'cases/b/out.txt']);
});

describe('a compared file behind a symbolic link', () => {
  const sightOf = (links: Readonly<Record<string, string>>, files: Files) => {
    const tree = { ...textTree(files), paths: [...Object.keys(files), ...Object.keys(links)], links: new Map(Object.entries(links)) };
    return lookAtGate('node cli.js | diff - golden/a.txt', '', tree);
  };

  it('is a decider, and so is the link', async () => {
    const file = await sightOf({ 'golden/a.txt': '../data/v1.txt' }, { 'data/v1.txt': '1', 'data/v2.txt': '2' });
    expect(['golden/a.txt', 'data/v1.txt', 'data/v2.txt'].map((path) => file.decides(path))).toEqual(['test', 'test', null]);
    const folder = await sightOf({ golden: 'data/now' }, { 'data/now/a.txt': '1', 'data/now/b.txt': '2' });
    expect(['data/now/a.txt', 'data/now/b.txt'].map((path) => folder.decides(path))).toEqual(['test', null]);
  });

  it('is not searched for outside the tree, nor in a cycle', async () => {
    const sight = await sightOf({ golden: '.', out: '../..', loop: 'loop' }, { 'a.txt': '1' });
    expect(sight.decides('a.txt')).toBeNull();
  });
});
